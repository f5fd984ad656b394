package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// maxLanguages bounds the characters for the languages of a server in a list.
const maxLanguages = 32

// writeServers writes a line for each server: what it is for, and where it is or how one
// gets it.
func writeServers(s *result.Servers, b *strings.Builder) {
	width, states := 0, make(map[string]int)
	for i := range s.Servers {
		width = max(width, utf8.RuneCountInString(s.Servers[i].ID))
		states[s.Servers[i].State]++
	}
	for i := range s.Servers {
		server := &s.Servers[i]
		languages := cut(legible.Line(strings.Join(server.Languages, " ")), maxLanguages)
		line := fmt.Sprintf("%s  %-8s  %-6s  %s  %s", padded(legible.Line(server.ID), width), server.State, server.Tested,
			padded(languages, maxLanguages), whereabouts(server))
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
	if len(s.Servers) > 1 {
		fmt.Fprintf(b, "%d servers: %d found, %d missing, %d disabled\n", len(s.Servers), states["found"], states["missing"], states["disabled"])
	}
}

// whereabouts says where a server is, or how one gets it, and what else there is
// to say.
func whereabouts(server *result.ServerState) string {
	var parts []string
	if server.Binary != "" {
		parts = append(parts, legible.Line(server.Binary))
	} else if len(server.Install) > 0 {
		parts = append(parts, legible.Line(server.Install[0]))
	}
	if server.Reason != "" {
		parts = append(parts, "("+oneLine(server.Reason)+")")
	}
	return strings.Join(parts, "  ")
}

// padded fills a text to a width in characters.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
