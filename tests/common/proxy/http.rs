//! Just as much HTTP/1.1 as the proxy needs.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::TcpStream;

use super::Played;

/// A request as it came.
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// An answer as it goes.
#[derive(Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// The path without its query and without the number of a turn.
    pub fn resource(&self) -> &str {
        let path = self.path.split('?').next().unwrap_or_default();
        path.split("/turns/").next().unwrap_or_default()
    }

    /// The turn that it plays.
    pub fn played(&self) -> Option<(Played, String)> {
        let (game, ply) = self.path.split_once("/turns/")?;
        let game = game.rsplit('/').next()?;
        let body: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        let turn = body["turn"].as_str()?.to_owned();
        Some(((game.to_owned(), ply.parse().ok()?), turn))
    }
}

/// The next request; none when the connection has ended in order.
pub async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let mut next = || {
        words
            .next()
            .ok_or_else(|| io::Error::other("no request line"))
    };
    let (method, path) = (next()?, next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_lowercase(), value.to_owned())),
            None => break,
        }
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok(Some(Request {
        method,
        path,
        headers,
        body,
    }))
}

/// The answer as bytes.
pub fn write(reply: &Reply) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {} X\r\n", reply.status);
    for (name, value) in &reply.headers {
        text += &format!("{name}: {value}\r\n");
    }
    if reply.status != 304 {
        text += &format!("content-length: {}\r\n", reply.body.len());
    }
    text += "\r\n";
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(&reply.body);
    bytes
}
