package registry

import (
	"cmp"
	"slices"
)

// listed completes entries that come from documentation and from measurements
// of the server alone: what says nothing else is primary, and not proven.
func listed(entries ...Definition) Table {
	for i := range entries {
		entries[i].Role = cmp.Or(entries[i].Role, Primary)
		entries[i].Tested = cmp.Or(entries[i].Tested, Listed)
	}
	return entries
}

// linters are entries that only diagnose, and only where their own configuration
// is: it is what chooses their root, too.
func linters(entries ...Definition) Table {
	for i := range entries {
		entries[i].Role = DiagnosticsOnly
		if entries[i].Roots == nil {
			entries[i].Roots = slices.Clone(entries[i].Requires)
		}
	}
	return listed(entries...)
}

// run is one way to start a server.
func run(binary string, args ...string) []Command { return []Command{{Binary: binary, Args: args}} }

func stdio(binary string) []Command { return run(binary, "--stdio") }

func language(id string, patterns ...string) Language { return Language{id, patterns} }

func only(id string, patterns ...string) []Language { return []Language{{id, patterns}} }

// pulled is of servers that answer a pull in full, and stop to push once it is
// announced.
func pulled() Diagnostics { return Diagnostics{Strategies: []Strategy{Pull}, AnnouncePull: true} }

// touched is of servers that push, with or without a version, whenever a document is
// sent, also where nothing changed in it.
func touched() Diagnostics { return Diagnostics{Outside: OutsideTouch} }

// provoked is touched of servers that publish only what differs from what they
// published before.
func provoked(lines string) Diagnostics {
	return Diagnostics{Outside: OutsideTouch, Provocation: lines}
}

// npm, and the others below, are hints for people.
func npm(packages string) []string { return []string{"npm install --global " + packages} }

func homebrew(formula string) string { return "brew install " + formula }

func cargo(crate string) string { return "cargo install " + crate }

func pip(name string) string { return "pip install " + name }

func see(page string) string { return "see https://" + page }
