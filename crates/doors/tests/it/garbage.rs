//! A client that sends nonsense, byte by byte: it is told so or not heard, and what makes sense afterwards is answered.

use std::time::Duration;

use doors::mcp::Mcp;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::time::timeout;

use crate::house::{House, PATIENCE};

/// What comes next with this id.
async fn answer_to(heard: &mut BufReader<tokio::io::ReadHalf<DuplexStream>>, id: u64) -> Value {
    loop {
        let mut line = String::new();
        let read = timeout(PATIENCE, heard.read_line(&mut line)).await.expect("in time").expect("a line");
        assert!(read > 0, "the server has gone");
        let told: Value = serde_json::from_str(&line).expect("nothing but JSON");
        if told["id"] == id {
            return told;
        }
    }
}

#[tokio::test]
async fn nonsense_does_not_end_the_conversation() {
    let house = House::new();
    let (theirs, ours) = duplex(64 * 1024);
    let (input, output) = tokio::io::split(ours);
    let server = tokio::spawn(Mcp::new(house.docket.clone(), house.around.clone()).serve(input, output));
    let (heard, mut say) = tokio::io::split(theirs);
    let mut heard = BufReader::new(heard);
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    say.write_all(format!("{begin}\n").as_bytes()).await.unwrap();
    answer_to(&mut heard, 1).await;
    say.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n").await.unwrap();

    let deep = "[".repeat(100_000);
    let nonsense: [&[u8]; 9] = [
        b"",
        b"hello",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe\x00\x00",
        b"{\"jsonrpc\":\"1.0\",\"id\":{},\"method\":7}",
        b"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"tools/call\",\"params\":{\"name\":\"arbiter_push\",\"arguments\":[]}}",
        deep.as_bytes(),
    ];
    for line in nonsense {
        say.write_all(line).await.unwrap();
        say.write_all(b"\n").await.unwrap();
    }
    // Longer than any message, and as many ids as fit into one.
    let long = vec![b'x'; doors::limits::MESSAGE_BYTES_MAX + 10];
    let talk = async {
        say.write_all(&long).await.unwrap();
        say.write_all(b"\n").await.unwrap();
        let ids: Vec<String> = (0..400_000).map(|n| format!("{n}")).collect();
        let many = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "arbiter_await", "arguments": {"ids": ids}}});
        say.write_all(format!("{many}\n").as_bytes()).await.unwrap();
        let status = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
            "name": "arbiter_status", "arguments": {"id": "nobody"}}});
        say.write_all(format!("{status}\n").as_bytes()).await.unwrap();
    };
    let listen = async {
        let mut seen = Vec::new();
        while seen.len() < 2 {
            let mut line = String::new();
            let read = heard.read_line(&mut line).await.expect("a line");
            assert!(read > 0, "the server has gone");
            let told: Value = serde_json::from_str(&line).expect("nothing but JSON");
            if told["id"] == 2 || told["id"] == 3 {
                seen.push(told);
            }
        }
        seen
    };
    let ((), mut seen) = timeout(PATIENCE, async { tokio::join!(talk, listen) }).await.expect("in time");
    seen.sort_by_key(|told| told["id"].as_u64());
    assert!(seen[0]["error"]["message"].as_str().unwrap().contains("1 to 50 ids"), "{}", seen[0]);
    assert_eq!(seen[1]["result"]["isError"], true, "{}", seen[1]);
    drop((say, heard));
    let ended = timeout(Duration::from_secs(10), server).await.expect("it ends with its client").unwrap();
    assert!(ended.is_ok(), "{ended:?}");
}
