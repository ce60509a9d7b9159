//! Who is let in: those who know the token, from a page of ours, by our own name.
//!
//! The token keeps out everybody who has not seen the address that the studio prints. The `Host` header keeps out pages whose name was made to lead here
//! (DNS rebinding), the `Origin` header pages of others that let a browser send requests which carry our cookie.

use super::Web;
use super::door::Visitor;
use super::reply::{busy, refused};
use crate::protocol::Refusal;
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;

/// Bytes of randomness in a token.
const TOKEN: usize = 24;

/// What is compared.
pub(crate) struct Guard {
    token: String,
    /// As in the address.
    host: String,
    port: u16,
    is_loopback: bool,
}

impl Guard {
    /// With a new token.
    pub(crate) fn new(host: &str, port: u16, is_loopback: bool) -> std::io::Result<Guard> {
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_lowercase() };
        Ok(Guard { token, host, port, is_loopback })
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The address without the token.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}:{}", self.host, self.port)
    }

    /// Cookies do not know ports: every studio has its own.
    fn cookie(&self) -> String {
        format!("freiraum_token_{}", self.port)
    }

    fn is_token(&self, given: &str) -> bool {
        // Takes as long for a good guess as for a bad one.
        let differing = given.bytes().zip(self.token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        given.len() == self.token.len() && differing == 0
    }

    /// Whether this is a name of ours, with the port.
    fn is_host(&self, host: &str) -> bool {
        let host = host.to_lowercase();
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port),
            _ => (host.as_str(), "80"),
        };
        if port != self.port.to_string() {
            return false;
        }
        if name == self.host {
            return true;
        }
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        if self.is_loopback {
            return name == "localhost" || address.is_ok_and(|address| address.is_loopback());
        }
        // Only names can be made to lead elsewhere.
        name == "localhost" || address.is_ok()
    }

    fn is_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }
}

/// What a request shows.
struct Shown {
    host_is_ours: bool,
    origin_is_ours: bool,
    token_in_query: bool,
    token_in_cookie: bool,
}

impl Shown {
    fn of(guard: &Guard, request: &Request) -> Shown {
        // Of several nobody knows which one counts.
        let text = |name: header::HeaderName| {
            let mut values = request.headers().get_all(name).iter();
            match (values.next(), values.next()) {
                (None, _) => None,
                (Some(value), None) => Some(value.to_str().unwrap_or_default()),
                _ => Some(""),
            }
        };
        let writes = !matches!(*request.method(), Method::GET | Method::HEAD);
        let needs_origin = writes || request.uri().path() == "/api/live";
        let query = request.uri().query().unwrap_or_default();
        Shown {
            host_is_ours: text(header::HOST).is_some_and(|host| guard.is_host(host)),
            origin_is_ours: text(header::ORIGIN).map_or(!needs_origin, |origin| guard.is_origin(origin)),
            token_in_query: in_query(query).is_some_and(|token| guard.is_token(token)),
            token_in_cookie: in_cookies(request.headers(), &guard.cookie(), |token| guard.is_token(token)),
        }
    }

    /// Why it is not let in.
    fn refusal(&self) -> Option<Response> {
        let (status, refusal) = if !self.host_is_ours {
            (StatusCode::FORBIDDEN, Refusal::new("host", "this is not the address of the studio"))
        } else if !self.origin_is_ours {
            let message = "this request does not come from a page of the studio";
            (StatusCode::FORBIDDEN, Refusal::new("origin", message))
        } else if !self.token_in_query && !self.token_in_cookie {
            let message = "open the address that `freiraum studio` has printed: it carries the key";
            (StatusCode::UNAUTHORIZED, Refusal::new("token", message))
        } else {
            return None;
        };
        Some(refused(status, &refusal))
    }
}

/// Lets a request through, or answers it; adds what every answer carries.
pub(super) async fn check(
    State(web): State<Arc<Web>>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
    next: Next,
) -> Response {
    let shown = Shown::of(&web.guard, &request);
    let mut response = match shown.refusal() {
        Some(refusal) => refusal,
        None if visitor.let_in() => next.run(request).await,
        None => busy(),
    };
    let headers = response.headers_mut();
    if shown.token_in_query && shown.host_is_ours {
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", web.guard.cookie(), web.guard.token);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.insert(header::SET_COOKIE, cookie);
        }
    }
    protect(headers);
    response
}

/// What every answer carries.
fn protect(headers: &mut HeaderMap) {
    const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
                          font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                          frame-ancestors 'none'";
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    for (name, value) in
        [("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin")]
    {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

fn in_query(query: &str) -> Option<&str> {
    query.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn in_cookies(headers: &HeaderMap, name: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies.flat_map(|cookies| cookies.split(';')).any(|cookie| {
        let found = cookie.trim().split_once('=');
        found.is_some_and(|(key, value)| key == name && is_it(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let guard = Guard::new("127.0.0.1", 4711, true).unwrap();
        for host in ["127.0.0.1:4711", "localhost:4711", "LOCALHOST:4711", "[::1]:4711"] {
            assert!(guard.is_host(host), "{host}");
            assert!(guard.is_origin(&format!("http://{host}")), "{host}");
        }
        for host in [
            "127.0.0.1",
            "localhost:80",
            "evil.example:4711",
            "192.168.0.7:4711",
            "127.0.0.1:47111",
            "",
            ":4711",
        ] {
            assert!(!guard.is_host(host), "{host}");
        }
        assert!(!guard.is_origin("https://127.0.0.1:4711") && !guard.is_origin("null"));
        let open = Guard::new("0.0.0.0", 4711, false).unwrap();
        assert!(open.is_host("192.168.0.7:4711") && !open.is_host("evil.example:4711"));
        assert!(!guard.is_token("") && !guard.is_token(open.token()) && guard.is_token(guard.token()));
    }
}
