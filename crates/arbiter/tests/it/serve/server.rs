//! A small HTTP server: it notes what it is asked, and answers as the test says.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};

/// What it was asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    pub body: String,
}

pub struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// A server whose answers are status and body, by the request and how many came before.
    pub fn answering(answer: impl Fn(&Asked, usize) -> (u16, String) + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let noted = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some(request) = read(&stream) else { continue };
                let before = {
                    let mut noted = noted.lock().expect("the lock");
                    noted.push(request.clone());
                    noted.len() - 1
                };
                let (status, body) = answer(&request, before);
                let _ = write!(
                    &stream,
                    "HTTP/1.1 {status} Told\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
                     Connection: close\r\n\r\n{body}",
                    body.len()
                );
            }
        });
        Server { address, asked }
    }

    /// Where it is.
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn asked(&self) -> MutexGuard<'_, Vec<Asked>> {
        self.asked.lock().expect("the lock")
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { path, body: String::from_utf8_lossy(&body).into_owned() })
}

/// What `GET` of this address gives: the status line and the body.
pub fn get(address: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("it hears");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a whole answer");
    (head.lines().next().unwrap_or_default().to_owned(), body.to_owned())
}
