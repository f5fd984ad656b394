package lsptest

import (
	"os/exec"
	"strings"

	"github.com/lspine/lspine/internal/registry"
)

// Kinds are servers for code and for prose, of which those with "none" in their
// name cannot be found.
func Kinds() registry.Table {
	server := func(id, pattern string, optional bool) registry.Definition {
		return registry.Definition{
			ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{pattern}}}, Commands: []registry.Command{{Binary: id}},
			SingleFile: true, Role: registry.Primary, Optional: optional,
		}
	}
	return registry.Table{
		server("code", ".code", false), server("code-none", ".lost", false), server("prose", ".prose", true), server("prose-none", ".text", true),
		server("words-none", ".code", true),
	}
}

// LookKinds finds the programs of [Kinds] that are there, and all others.
func LookKinds(name string) (string, error) {
	if strings.HasSuffix(name, "-none") {
		return "", exec.ErrNotFound
	}
	return Rooted("/opt/bin/" + name), nil
}
