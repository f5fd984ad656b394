// Package ui holds the stories of the person's page: a headless Chromium on `lspine ui`, or on `lspine mcp --http`, with real
// language servers.
package ui
