//! What a client of the MCP server is told: its tools, and what each answers.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::{GoldenWorld, read, text};

/// A client that has called.
struct Client {
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    calls: u64,
}

pub fn run(world: &mut GoldenWorld) {
    let mut server =
        world.theatre.command(&["mcp"]).stdin(Stdio::piped()).spawn().expect("the binary starts");
    let (input, output) = (server.stdin.take().expect("a pipe"), server.stdout.take().expect("a pipe"));
    let mut client = Client { input, lines: BufReader::new(output).lines(), calls: 0 };
    world.steady.prose = &["description", "instructions"];
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                       "clientInfo": {"name": "golden", "version": "1"}});
    let mut told = client.asks("initialize", hello);
    told["serverInfo"]["version"] = json!("VERSION");
    world.note("mcp-initialize", "a client calls", None, told);
    client.says(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let told = client.asks("tools/list", json!({}));
    world.note("mcp-tools", "all", None, told);
    calls(world, &mut client);
    drop(client);
    server.wait().expect("it ends");
}

fn calls(world: &mut GoldenWorld, client: &mut Client) {
    let petition = json!({"title": "Deploy", "tag": "web", "agent": "ceo", "decisions": [
        {"id": "deploy", "title": "Deploy now?", "options": [{"key": "yes", "label": "Now"}, {"key": "no", "label": "Later"}]}]});
    let told = client.calls("arbiter_push", &petition);
    let id = text(&told["structuredContent"], "id").to_owned();
    world.steady.call(&id, "DEPLOY");
    world.note("mcp-push", "new", None, told);
    let mut tool = |world: &mut GoldenWorld, file: &str, situation: &str, given: Value| {
        let told = client.calls(&file.replace("mcp-", "arbiter_"), &given);
        world.note(file, situation, None, told);
    };
    tool(world, "mcp-push", "the same again", petition);
    tool(world, "mcp-push", "no decision", json!({"title": "Nothing"}));
    tool(world, "mcp-status", "open", json!({"id": id}));
    tool(world, "mcp-get", "open", json!({"id": id}));
    tool(world, "mcp-get", "open, what there is", json!({"id": id, "partial": true}));
    tool(world, "mcp-await", "no answer in time", json!({"id": id, "wait_seconds": 0}));
    for file in ["mcp-status", "mcp-get", "mcp-await"] {
        tool(world, file, "no such petition", json!({"id": "nowhere"}));
    }
    world.run(&["answer", &id, "deploy", "yes", "--submit"], "");
    for file in ["mcp-status", "mcp-get", "mcp-await"] {
        tool(world, file, "submitted", json!({"id": id}));
    }
    world.keep_ledger();
}

impl Client {
    fn says(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the server listens");
    }

    /// What this request is answered with, an error too.
    fn asks(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        self.says(&json!({"jsonrpc": "2.0", "id": self.calls, "method": method, "params": params}));
        let line = self.lines.next().expect("the server answers").expect("a line");
        let mut told = read(&line, &[method]);
        told.get_mut("result").map(Value::take).unwrap_or(told)
    }

    /// What a tool answers. Its text is the same value once more, for clients that read no structure.
    fn calls(&mut self, tool: &str, given: &Value) -> Value {
        let mut told = self.asks("tools/call", json!({"name": tool, "arguments": given}));
        if let Some(text) = told["content"][0]["text"].as_str() {
            let value: Value = read(text, &[tool]);
            assert_eq!(value, told["structuredContent"], "{tool}: the text and the structure differ");
            told["content"][0]["text"] = json!("the structured content as text");
        }
        told
    }
}
