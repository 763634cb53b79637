"""An agent that asks a person, written with the public MCP client for Python.

Usage: mcp_client.py MODE ARBITER
MODE is `legacy` or `auto` (the protocol with and without a handshake): the whole conversation.
Or `hang`: asks, waits, and is to be killed.

It tells the test what happens, one JSON object a line.
"""

import asyncio
import json
import os
import sys

from mcp import Client, MCPError, StdioServerParameters
from mcp.types import Implementation

PETITION = {
    "title": "API design",
    "context": "Two things are open.",
    "decisions": [
        {
            "id": "auth",
            "title": "How do people log in?",
            "options": [{"key": "jwt", "label": "Tokens"}, {"key": "session", "label": "Sessions"}],
        },
        {"id": "name", "title": "What is it called?", "allow_custom": True},
    ],
}


def tell(**what):
    print(json.dumps(what), flush=True)


async def converse(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    always = [name for name, tool in tools.items() if (tool.meta or {}).get("anthropic/alwaysLoad")]
    tell(event="tools", names=sorted(tools), always=sorted(always), instructions=client.instructions)

    bad = await client.call_tool("arbiter_push", {"title": "", "decisions": [{"id": "a:b", "title": "T"}]})
    tell(event="bad", is_error=bad.is_error, faults=bad.structured_content["faults"])
    try:
        await client.call_tool("arbiter_ask", {})
    except MCPError as error:
        tell(event="unknown", message=str(error))

    pushed = (await client.call_tool("arbiter_push", PETITION)).structured_content
    again = (await client.call_tool("arbiter_push", PETITION)).structured_content
    tell(event="pushed", id=pushed["id"], again=again["again"] and again["id"] == pushed["id"])

    heard = 0

    async def progress(done, total, message):
        nonlocal heard
        heard += 1
        if heard == 1:
            tell(event="waiting", id=pushed["id"], message=message)

    state, calls = "pending", 0
    while state == "pending":
        calls += 1
        arguments = {"id": pushed["id"], "wait_seconds": 20}
        awaited = await client.call_tool("arbiter_await", arguments, progress_callback=progress)
        state = awaited.structured_content["state"]
    told = awaited.structured_content
    same = json.loads(awaited.content[0].text) == told
    tell(event="decided", state=state, answers=told["answers"], provenance=told["provenance"], same=same)
    got = (await client.call_tool("arbiter_get", {"id": pushed["id"]})).structured_content
    status = (await client.call_tool("arbiter_status", {"id": pushed["id"]})).structured_content
    tell(event="done", answers=got["answers"], status=status["status"], agent=status["agent"])


async def hang(client):
    pushed = (await client.call_tool("arbiter_push", PETITION)).structured_content

    async def progress(done, total, message):
        tell(event="waiting", id=pushed["id"], message=message)

    await client.call_tool("arbiter_await", {"id": pushed["id"], "wait_seconds": 40}, progress_callback=progress)


async def main():
    mode, arbiter = sys.argv[1:]
    server = StdioServerParameters(command=arbiter, args=["mcp"], env=dict(os.environ))
    name = Implementation(name="python-agent", version="1")
    protocol = "legacy" if mode == "hang" else mode
    async with Client(server, mode=protocol, client_info=name) as client:
        tell(event="connected", protocol=str(client.protocol_version))
        await (hang(client) if mode == "hang" else converse(client))


asyncio.run(main())
