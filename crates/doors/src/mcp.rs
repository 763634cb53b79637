//! MCP for agents: four tools over the docket.
