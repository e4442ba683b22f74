//! Stores that cannot be used, and what the server says then.

use std::path::Path;

use axum::http::StatusCode;
use tempfile::TempDir;
use yinsh_bot::server::{ServeError, Server, create_bot};

use crate::common::{TestServer, config_in};

async fn refusal(folder: &Path) -> String {
    match Server::start(&config_in(folder)).await {
        Ok(_) => panic!("the server started"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn a_file_that_is_no_store_is_refused_and_left_alone() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let rubbish = "no store at all ".repeat(1000);
    std::fs::write(&path, &rubbish).expect("written");
    let error = refusal(folder.path()).await;
    assert!(
        error.contains("cannot be used as a store") && error.contains("[serve] store"),
        "{error}"
    );
    assert_eq!(std::fs::read_to_string(&path).expect("read"), rubbish);
}

#[tokio::test]
async fn another_programs_database_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("store.sqlite");
    let other = rusqlite::Connection::open(&path).expect("opened");
    other
        .execute_batch("CREATE TABLE accounts (x); PRAGMA user_version = 1;")
        .expect("created");
    drop(other);
    let error = refusal(folder.path()).await;
    assert!(error.contains("another program"), "{error}");
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("store.sqlite");
    create_bot(&path, "ada").expect("created");
    let store = rusqlite::Connection::open(&path).expect("opened");
    store
        .pragma_update(None, "user_version", 99)
        .expect("changed");
    drop(store);
    let error = refusal(folder.path()).await;
    assert!(
        error.contains("schema 99") && error.contains("newer"),
        "{error}"
    );
}

#[tokio::test]
async fn a_damaged_store_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("store.sqlite");
    for number in 0..60 {
        create_bot(&path, &format!("bot{number}")).expect("created");
    }
    let mut bytes = std::fs::read(&path).expect("read");
    let end = bytes.len();
    bytes[4096 * 2..end]
        .iter_mut()
        .for_each(|byte| *byte ^= 0x5a);
    std::fs::write(&path, bytes).expect("written");
    let error = refusal(folder.path()).await;
    assert!(error.contains("cannot be used as a store"), "{error}");
}

#[tokio::test]
async fn a_missing_folder_and_a_taken_port_are_told() {
    let folder = TempDir::new().expect("a folder");
    let missing = folder.path().join("nowhere");
    let error = refusal(&missing).await;
    assert!(
        error.contains("nowhere") && error.contains("check the folder"),
        "{error}"
    );

    let error = create_bot(&missing.join("store.sqlite"), "ada").expect_err("no folder");
    assert!(error.to_string().contains("check the folder"), "{error}");

    let server = TestServer::start().await;
    let mut config = config_in(folder.path());
    config.address = server.server.local_addr().to_string();
    let error = Server::start(&config).await.err().expect("a taken port");
    assert!(matches!(error, ServeError::Bind { .. }), "{error}");
    assert!(error.to_string().contains("port 0"), "{error}");
}

#[tokio::test]
async fn two_servers_do_not_share_a_store() {
    let server = TestServer::start().await;
    let error = Server::start(&server.config).await.err().expect("in use");
    assert!(error.to_string().contains("another server"), "{error}");
}

#[tokio::test]
async fn accounts_are_created_beside_a_running_server() {
    let server = TestServer::start().await;
    let path = Path::new(&server.config.store).to_owned();
    let bot = create_bot(&path, "ada").expect("created");
    let mut client = server.guest();
    client.token = Some(bot.token.token);
    assert_eq!(client.get("/me").await.status, StatusCode::OK);
    assert!(create_bot(&path, "ada").is_err());
    assert!(server.server.create_bot("ADA").await.is_err());
}

#[tokio::test]
async fn no_token_is_in_the_store() {
    let server = TestServer::start().await;
    let ada = server.bot("ada").await;
    ada.get("/me").await;
    let token = ada.token.expect("a token");
    let secret = token.trim_start_matches("ynb_").as_bytes().to_vec();
    let folder = Path::new(&server.config.store)
        .parent()
        .expect("a folder")
        .to_owned();
    server.server.shutdown().await.expect("stopped");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("listed") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("read");
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
        files += 1;
    }
    assert!(files > 0);
}
