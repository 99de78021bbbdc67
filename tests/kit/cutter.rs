//! A proxy before the daemon that cuts streams. Every connection brings at least one whole event, so that there is
//! an end to it; what is cut off is the beginning of the next.

use std::io::{BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::Daemon;

/// How a stream ends that is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cut {
    /// As a proxy ends it that knows no chunks: like any end.
    Clean,
    /// In the middle of what was announced.
    Broken,
}

/// Listens until the test binary ends; what it passes on ends with the daemon.
pub(crate) struct Cutter {
    /// `http://127.0.0.1:PORT`.
    pub(crate) base: String,
    cuts: Arc<AtomicUsize>,
}

impl Cutter {
    /// Cuts every stream at a multiple of `every` bytes: the first one behind a whole event.
    pub(crate) fn start(daemon: &Daemon<'_>, every: usize, how: Cut) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let cuts = Arc::new(AtomicUsize::new(0));
        let (address, counted) = (daemon.address.clone(), Arc::clone(&cuts));
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (address, counted) = (address.clone(), Arc::clone(&counted));
                // One that breaks off is the other end's business.
                thread::spawn(move || pass(client, &address, every, how, &counted));
            }
        });
        Self { base, cuts }
    }

    /// How many streams were cut.
    pub(crate) fn cuts(&self) -> usize {
        self.cuts.load(Ordering::Relaxed)
    }
}

/// One request and its answer; a connection carries no more.
fn pass(
    mut client: TcpStream,
    address: &str,
    every: usize,
    how: Cut,
    cuts: &AtomicUsize,
) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    let mut request = BufReader::new(client.try_clone()?);
    let head = head(&mut request)?;
    let mut body = vec![0; length(&head)];
    request.read_exact(&mut body)?;
    let mut daemon = TcpStream::connect(address)?;
    let closing = head.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    daemon.write_all(closing.as_bytes())?;
    daemon.write_all(&body)?;
    let mut answer = BufReader::new(daemon.try_clone()?);
    let streams = head
        .split_whitespace()
        .nth(1)
        .is_some_and(|path| path.contains("/stream"));
    let head = self::head(&mut answer)?;
    if streams && head.contains("text/event-stream") {
        let cut = stream(&mut client, &head, &mut answer, every, how)?;
        cuts.fetch_add(usize::from(cut), Ordering::Relaxed);
    } else {
        client.write_all(head.as_bytes())?;
        std::io::copy(&mut answer, &mut client)?;
    }
    let _ = daemon.shutdown(Shutdown::Both);
    client.shutdown(Shutdown::Both)
}

/// Passes a stream on up to its cut; gives whether it was one.
fn stream(
    client: &mut TcpStream,
    head: &str,
    answer: &mut impl std::io::BufRead,
    every: usize,
    how: Cut,
) -> std::io::Result<bool> {
    assert!(head.contains("transfer-encoding: chunked"), "{head}");
    // Without a length and without chunks it ends where the connection does.
    let head = match how {
        Cut::Clean => head.replace("transfer-encoding: chunked\r\n", ""),
        Cut::Broken => head.to_owned(),
    };
    client.write_all(head.as_bytes())?;
    let (mut passed, mut whole, mut last) = (0, false, Vec::new());
    loop {
        let mut size = String::new();
        answer.read_line(&mut size)?;
        let left = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if left == 0 {
            if how == Cut::Broken {
                client.write_all(b"0\r\n\r\n")?;
            }
            return Ok(false);
        }
        let mut chunk = vec![0; left + 2];
        answer.read_exact(&mut chunk)?;
        chunk.truncate(left);
        let mut end = left;
        let mut cut = false;
        for (at, byte) in chunk.iter().enumerate() {
            last.push(*byte);
            if last.ends_with(b"\n\n") {
                whole |= last.starts_with(b"id: ");
                last.clear();
            }
            passed += 1;
            if whole && passed % every == 0 {
                (end, cut) = (at + 1, true);
                break;
            }
        }
        match how {
            Cut::Clean => client.write_all(&chunk[..end])?,
            Cut::Broken => {
                write!(client, "{left:x}\r\n")?;
                client.write_all(&chunk[..end])?;
                client.write_all(if cut { b"" } else { b"\r\n" })?;
            }
        }
        if cut {
            return Ok(true);
        }
    }
}

/// The lines before a body, with the empty one.
fn head(from: &mut impl std::io::BufRead) -> std::io::Result<String> {
    let mut head = String::new();
    while from.read_line(&mut head)? > 2 {}
    Ok(head)
}

fn length(head: &str) -> usize {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let found = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    found.map_or(0, |(_, value)| value.trim().parse().unwrap())
}
