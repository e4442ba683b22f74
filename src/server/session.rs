//! A person's session: a token in a cookie, which the browser sends along and scripts cannot read.
//!
//! Because a browser sends it along whoever asks, a request that changes something counts only when it comes from one of
//! the server's own pages. The cookie is `SameSite=Strict` as well, but not every browser keeps to that.

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method};

use super::error::ApiError;
use super::registration::SESSION_TTL_S;

const COOKIE_NAME: &str = "yinsh_session";
const FETCH_SITE: &str = "sec-fetch-site";
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// The token in a request's cookie.
pub fn token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter();
    cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == COOKIE_NAME).then_some(value))
}

/// Checks that a request which a browser sends by itself was meant by its user.
///
/// # Errors
/// It changes something, and does not come from a page of this server.
pub fn require_same_origin(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    if matches!(*method, Method::GET | Method::HEAD) || is_same_origin(headers) {
        return Ok(());
    }
    Err(ApiError::Forbidden(
        "with a cookie, this is taken from this server's own pages only",
    ))
}

/// Browsers tell where a request comes from: in `Sec-Fetch-Site`, or, over plain HTTP, at least in `Origin`.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text(FETCH_SITE) {
        return site == "same-origin";
    }
    let origin = text(ORIGIN.as_str()).and_then(|origin| origin.split_once("://"));
    match (origin, text(HOST.as_str())) {
        (Some((_, origin)), Some(host)) => origin.eq_ignore_ascii_case(host),
        _ => false,
    }
}

/// The `Set-Cookie` header that begins a session; for HTTPS only if the request came by a proxy that speaks it.
pub fn begin(token: &str, headers: &HeaderMap) -> Option<HeaderValue> {
    cookie(token, SESSION_TTL_S, headers)
}

/// The `Set-Cookie` header that ends a session.
pub fn end(headers: &HeaderMap) -> Option<HeaderValue> {
    cookie("", 0, headers)
}

fn cookie(value: &str, max_age_s: u64, headers: &HeaderMap) -> Option<HeaderValue> {
    let is_https = headers
        .get(FORWARDED_PROTO)
        .is_some_and(|proto| proto == "https");
    let secure = if is_https { "; Secure" } else { "" };
    let text = format!(
        "{COOKIE_NAME}={value}; Path=/; Max-Age={max_age_s}; HttpOnly; SameSite=Strict{secure}"
    );
    let mut cookie = HeaderValue::try_from(text).ok()?;
    cookie.set_sensitive(true);
    Some(cookie)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = axum::http::HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        pairs.collect()
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let among = headers(&[("cookie", "a=b; yinsh_session=ynb_1; c=d")]);
        assert_eq!(token(&among), Some("ynb_1"));
        assert_eq!(token(&headers(&[("cookie", "xyinsh_session=1")])), None);
        assert_eq!(token(&HeaderMap::new()), None);
    }

    #[test]
    fn only_own_pages_may_change_something() {
        let check =
            |method: Method, pairs: &[_]| require_same_origin(&method, &headers(pairs)).is_ok();
        let own = [("origin", "http://a.b:80"), ("host", "a.b:80")];
        let other = [("origin", "http://evil.b"), ("host", "a.b")];
        assert!(check(Method::POST, &own));
        assert!(!check(Method::POST, &other));
        assert!(!check(Method::POST, &[("origin", "null"), ("host", "a.b")]));
        assert!(!check(Method::PUT, &[("host", "a.b")]), "no word of it");
        assert!(check(Method::GET, &other), "reading changes nothing");
        assert!(check(Method::DELETE, &[("sec-fetch-site", "same-origin")]));
        for site in ["cross-site", "same-site", "none"] {
            let mut told = headers(&own);
            told.insert(FETCH_SITE, HeaderValue::from_static(site));
            assert!(require_same_origin(&Method::POST, &told).is_err());
        }
    }

    #[test]
    fn a_cookie_is_out_of_reach_of_scripts_and_other_sites() {
        let plain = begin("ynb_1", &HeaderMap::new()).unwrap();
        let text = plain.to_str().unwrap();
        assert!(text.starts_with("yinsh_session=ynb_1; Path=/; Max-Age="));
        assert!(text.ends_with("; HttpOnly; SameSite=Strict"), "{text}");
        assert!(!format!("{plain:?}").contains("ynb_1"));
        let secure = begin("ynb_1", &headers(&[(FORWARDED_PROTO, "https")])).unwrap();
        assert!(secure.to_str().unwrap().ends_with("; Secure"));
        assert!(
            end(&HeaderMap::new())
                .unwrap()
                .to_str()
                .unwrap()
                .contains("Max-Age=0")
        );
    }
}
