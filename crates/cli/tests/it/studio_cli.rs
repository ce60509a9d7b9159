//! `freiraum studio` from outside: one line, an answer, a clean end.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

fn start(arguments: &[&str]) -> (Child, String, BufReader<std::process::ChildStdout>) {
    let cache = std::env::temp_dir().join(format!("freiraum-studio-cli-{}", std::process::id()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .arg("studio")
        .args(arguments)
        .env("XDG_CACHE_HOME", cache)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    (child, line, out)
}

#[test]
fn one_line_an_answer_and_a_clean_end() {
    let (mut child, line, mut out) = start(&["--no-open"]);
    let address =
        line.strip_prefix("studio: http://127.0.0.1:").and_then(|rest| rest.strip_suffix('\n')).unwrap();
    let (port, token) = address.split_once("/?token=").unwrap();
    assert!(token.len() >= 32 && token.chars().all(|c| c.is_ascii_hexdigit()), "{line}");
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port.parse::<u16>().unwrap())).unwrap();
    write!(stream, "GET /?token={token} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("<!doctype html>"), "{answer}");
    if cfg!(unix) {
        let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(interrupted.success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    } else {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "", "one line and no more");
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

/// The line says that it can be used, and so that it can be ended: it listens for both signals before it writes the line. The system is asked for them,
/// which is faster than to start a program that sends one.
#[cfg(target_os = "linux")]
#[test]
fn who_reads_the_line_can_end_it_cleanly() {
    for round in 0..20 {
        let (mut child, line, _out) = start(&["--no-open"]);
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.starts_with("studio: "), "{line}");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
        let is_caught = |signal: u32| caught >> (signal - 1) & 1 == 1;
        let (interrupt, terminate) = (2, 15);
        assert!(is_caught(interrupt) && is_caught(terminate), "round {round}: {caught:x}");
    }
}

#[test]
fn other_hosts_are_warned_about_and_missing_files_are_errors() {
    let (mut child, line, _) = start(&["--no-open", "--host", "0.0.0.0"]);
    assert!(line.starts_with("studio: http://127.0.0.1:"), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.starts_with("warning: others in the network"), "{said}");
    // Without a scene, too: programs of the built-in examples are trusted.
    assert!(said.contains("start and stop the programs that the built-in examples name"), "{said}");

    let (mut child, line, _) = start(&["--no-open", "no-such-scene.toml"]);
    assert_eq!(line, "");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_port_that_is_taken_is_a_clear_error() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (mut child, line, _) = start(&["--no-open", "--port", &port]);
    assert_eq!(line, "");
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains(&port) && said.contains("another program uses this port"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_browser_the_address_is_printed() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_freiraum"))
        .arg("studio")
        .env("PATH", "")
        .env("XDG_CACHE_HOME", std::env::temp_dir().join("freiraum-studio-cli-none"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("studio: http://127.0.0.1:"), "{line}");
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(said, "warning: no browser was found; open the address above in one\n");
    child.kill().unwrap();
    child.wait().unwrap();
}
