//! `GET /healthz` on this machine: how `arbiter serve` is, as JSON; status 200 if all is well, else 503. Nothing else is
//! served, and no request holds up another for long.

use std::sync::Arc;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::limits::{HEALTH_REQUEST_BYTES_MAX, HEALTH_REQUESTS_MAX, HEALTH_TIME_MAX, TROUBLE_PAUSE};
use super::standing::ServeStanding;
use crate::clock;

/// Answers until it is dropped.
pub async fn serve(listener: TcpListener, standing: Arc<ServeStanding>) {
    let room = Arc::new(Semaphore::new(HEALTH_REQUESTS_MAX));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let standing = Arc::clone(&standing);
                tokio::spawn(async move {
                    let _ = timeout(HEALTH_TIME_MAX, answer(stream, &standing)).await;
                    drop(place);
                });
            }
            // Too many open files, for one.
            Err(_) => tokio::time::sleep(TROUBLE_PAUSE).await,
        }
    }
}

async fn answer(mut stream: TcpStream, standing: &ServeStanding) -> std::io::Result<()> {
    let (mut request, mut piece) = (Vec::new(), [0; 1024]);
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < HEALTH_REQUEST_BYTES_MAX {
        match stream.read(&mut piece).await? {
            0 => break,
            count => request.extend_from_slice(&piece[..count]),
        }
    }
    let is_ours = [&b"GET /healthz "[..], b"GET /healthz?"].iter().any(|start| request.starts_with(start));
    let (status, body) = match is_ours.then(|| standing.told(clock::now())) {
        Some((true, told)) => ("200 OK", told.to_string()),
        Some((false, told)) => ("503 Service Unavailable", told.to_string()),
        None => ("404 Not Found", r#"{"error":"only GET /healthz is served"}"#.to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
