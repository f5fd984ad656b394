// Package agents knows the configuration of coding agents: where each keeps it (see the table known), and
// what it must contain for the agent to start our MCP server and to run our hooks. It plans changes of those
// files, which a person can look at first, makes them, and undoes exactly them again.
package agents
