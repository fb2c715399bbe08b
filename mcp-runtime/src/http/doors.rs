//! Who may come in: the checks of `Host` and `Origin`, which keep web pages from using a server of the machine that they
//! are looked at on.
//!
//! Spec: 2026-07-28, `basic/transports/streamable-http`, "Security Warning".

use http::header;
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, StatusCode, Uri};

use super::header::only;
use super::response::Refusal;
use crate::text::shortened;

/// The checks of a server.
#[derive(Debug)]
pub(super) struct Doors {
    /// `None` lets every host in.
    hosts: Option<Vec<HostRule>>,
    /// `None` lets every origin in.
    origins: Option<Vec<OriginRule>>,
}

/// A host that requests may be for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HostRule {
    /// In lower case.
    host: String,
    /// `None` is any.
    port: Option<u16>,
}

/// An origin that requests may come from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OriginRule {
    /// All of the machine itself.
    Local,
    One(Origin),
}

/// Where a web page comes from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The origin of files and of sandboxes: none that can be told from another.
    Null,
    Tuple {
        scheme: String,
        host: String,
        port: Option<u16>,
    },
}

impl Doors {
    pub(super) fn new(hosts: Option<Vec<HostRule>>, origins: Option<Vec<OriginRule>>) -> Self {
        Self { hosts, origins }
    }

    /// Looks at the head of a request.
    ///
    /// # Errors
    /// Why it may not come in.
    pub(super) fn check(&self, request: &Parts) -> Result<(), Refusal> {
        if let Some(rules) = &self.hosts {
            check_host(request, rules)?;
        }
        if let Some(rules) = &self.origins {
            check_origin(&request.headers, rules)?;
        }
        Ok(())
    }
}

fn check_host(request: &Parts, rules: &[HostRule]) -> Result<(), Refusal> {
    let malformed =
        || Refusal::new(StatusCode::BAD_REQUEST, "the request needs one `Host` header, as in `localhost:8080`");
    let host = only(&request.headers, &header::HOST).map_err(|_| malformed())?;
    let host = host.map(|host| host.to_str().map_err(|_| malformed())).transpose()?;
    // HTTP/2 has it in the address of the request; where it is in both, neither may be foreign.
    let address = request.uri.authority().map(Authority::as_str);
    if host.or(address).is_none() {
        return Err(malformed());
    }
    for written in [host, address].into_iter().flatten() {
        let (host, port) = split_host(written).ok_or_else(malformed)?;
        if !rules.iter().any(|rule| rule.allows(host, port)) {
            let host = shortened(written);
            let what = format!("the host {host} is not allowed here; the server's setting is `Http::allow_hosts`");
            return Err(Refusal::new(StatusCode::FORBIDDEN, what));
        }
    }
    Ok(())
}

fn check_origin(headers: &HeaderMap, rules: &[OriginRule]) -> Result<(), Refusal> {
    let repeated = |_| Refusal::new(StatusCode::FORBIDDEN, "a request has one `Origin` header at most");
    let Some(written) = only(headers, &header::ORIGIN).map_err(repeated)? else { return Ok(()) };
    let written = &*String::from_utf8_lossy(written.as_bytes());
    let allows = |rule: &OriginRule, origin: &Origin| match rule {
        OriginRule::Local => origin.is_local(),
        OriginRule::One(one) => one == origin,
    };
    let is_allowed = Origin::parse(written).is_some_and(|origin| rules.iter().any(|rule| allows(rule, &origin)));
    if is_allowed {
        return Ok(());
    }
    let what =
        format!("the origin {} is not allowed here; the server's setting is `Http::allow_origins`", shortened(written));
    Err(Refusal::new(StatusCode::FORBIDDEN, what))
}

/// The host, without the dot of the root, and the port.
fn split_host(text: &str) -> Option<(&str, Option<u16>)> {
    let (host, port) = match text.rsplit_once(':') {
        // The colons of an IPv6 address stand in brackets.
        Some((host, "")) => (host, None),
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, Some(port.parse::<u16>().ok()?)),
        Some((_, port)) if !port.ends_with(']') => return None,
        _ => (text, None),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_host = match host.strip_prefix('[') {
        Some(address) => address.strip_suffix(']')?.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)),
    };
    is_host.then_some((host, port))
}

impl HostRule {
    /// The names of the machine itself.
    pub(super) const LOOPBACK: [&'static str; 3] = ["localhost", "127.0.0.1", "[::1]"];

    pub(super) fn loopback() -> impl Iterator<Item = Self> {
        Self::LOOPBACK.iter().map(|&host| Self { host: host.to_owned(), port: None })
    }

    fn allows(&self, host: &str, port: Option<u16>) -> bool {
        let is_host = match self.host.strip_prefix('*') {
            // With the dot, and with something before it.
            Some(suffix) => host.len() > suffix.len() && host.to_ascii_lowercase().ends_with(suffix),
            None => self.host.eq_ignore_ascii_case(host),
        };
        is_host && self.port.is_none_or(|wanted| port == Some(wanted))
    }

    /// Reads an entry of the list.
    ///
    /// # Errors
    /// If it is no host.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if let Some(suffix) = text.strip_prefix("*.") {
            let Self { host, port } = Self::parse(suffix)?;
            return Ok(Self { host: format!("*.{host}"), port });
        }
        // A bare IPv6 address is clear enough without its brackets.
        let text = if text.parse::<std::net::Ipv6Addr>().is_ok() { format!("[{text}]") } else { text.to_owned() };
        let (host, port) = split_host(&text).ok_or_else(|| {
            format!(
                "`allow_hosts`: {} is no host; write `example.com`, `example.com:8080` or `*.example.com`",
                shortened(&text)
            )
        })?;
        Ok(Self { host: host.to_ascii_lowercase(), port })
    }
}

impl OriginRule {
    /// Reads an entry of the list.
    ///
    /// # Errors
    /// If it is no origin.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let help = "write `https://example.com`, with a port if it is not the scheme's own and without a path";
        Origin::parse(text)
            .map(Self::One)
            .ok_or_else(|| format!("`allow_origins`: {} is no origin; {help}", shortened(text)))
    }
}

impl Origin {
    fn parse(text: &str) -> Option<Self> {
        if text == "null" {
            return Some(Self::Null);
        }
        let (scheme, rest) = text.split_once("://")?;
        // The origin of a page has no path, and what an extension of a browser has for a host may be no name.
        if scheme.is_empty() || rest.is_empty() || rest.contains(['/', '?', '#', '@']) {
            return None;
        }
        let uri = text.parse::<Uri>().ok()?;
        let (host, port) = split_host(uri.authority()?.as_str())?;
        let (scheme, host) = (scheme.to_ascii_lowercase(), host.to_ascii_lowercase());
        let default_port = match scheme.as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        Some(Self::Tuple { scheme, host, port: port.or(default_port) })
    }

    /// Whether the page comes from the machine that it is looked at on.
    fn is_local(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Tuple { scheme, host, .. } => {
                matches!(scheme.as_str(), "http" | "https") && HostRule::LOOPBACK.contains(&host.as_str())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_hosts() {
        let split = |text| split_host(text).map(|(host, port)| (host, port.unwrap_or_default()));
        let host = |host, port| Some((host, port));
        assert_eq!(split("localhost"), host("localhost", 0));
        assert_eq!(split("LOCALHOST:80"), host("LOCALHOST", 80));
        assert_eq!(split("localhost."), host("localhost", 0));
        assert_eq!(split("[::1]:8080"), host("[::1]", 8080));
        assert_eq!(split("[::1]"), host("[::1]", 0));
        assert_eq!(split("localhost:"), host("localhost", 0));
        for malformed in ["", ":80", "user@localhost", "localhost:+80", "localhost:http", "[::1", "a b", "[x]:1", "::1"]
        {
            assert_eq!(split(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn allows_every_host_of_a_domain() {
        let rule = HostRule::parse("*.svc.example:8080").unwrap();
        assert!(rule.allows("a.svc.example", Some(8080)));
        assert!(rule.allows("A.B.SVC.example", Some(8080)));
        for (host, port) in [
            ("a.svc.example", None),
            ("svc.example", Some(8080)),
            (".svc.example", Some(8080)),
            ("asvc.example", Some(8080)),
        ] {
            assert!(!rule.allows(host, port), "{host}");
        }
        assert!(HostRule::parse("*").is_err());
        assert!(HostRule::parse("a.*.example").is_err());
    }

    #[test]
    fn compares_origins_by_scheme_host_and_port() {
        let origin = |text: &str| Origin::parse(text);
        assert_eq!(origin("https://app.example"), origin("HTTPS://App.Example:443"));
        assert_ne!(origin("https://app.example"), origin("http://app.example"));
        assert_ne!(origin("https://app.example"), origin("https://app.example:8443"));
        assert_ne!(origin("https://app.example"), origin("https://app.example.evil"));
        assert_eq!(origin("https://app.example/"), None);
        assert_eq!(origin("app.example"), None);
        assert!(origin("vscode-webview://abc").is_some());
        assert!(origin("http://localhost:6274").is_some_and(|origin| origin.is_local()));
        assert!(!origin("http://localhost.evil.example").is_some_and(|origin| origin.is_local()));
        assert!(!origin("null").is_some_and(|origin| origin.is_local()));
    }
}
