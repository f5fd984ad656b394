package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefDone(d *result.Done) string {
	return write(&d.Head, func(b *strings.Builder) {
		if d.Path != "" {
			fmt.Fprintf(b, "%s: ", legible.Line(d.Path))
		}
		fmt.Fprintln(b, legible.Line(d.Done))
	})
}

func briefFolders(f *result.Folders) string {
	return write(&f.Head, func(b *strings.Builder) {
		for _, folder := range f.Folders {
			fmt.Fprintf(b, "%s %s\n", legible.Line(folder.Path), legible.Line(strings.Join(folder.Servers, " ")))
			for _, r := range folder.Refused {
				fmt.Fprintf(b, "  %s\n", oneLine(r))
			}
		}
	})
}

func briefCapabilities(c *result.Capabilities) string {
	return write(&c.Head, func(b *strings.Builder) {
		if len(c.Servers) == 0 && c.Cut == "" {
			fmt.Fprintln(b, "no server runs")
		}
		for i := range c.Servers {
			s := &c.Servers[i]
			fmt.Fprintf(b, "%s %s (root %s)\n", legible.Line(s.ID), oneLine(cut(s.Version, 60)), legible.Line(s.Root))
			fmt.Fprintf(b, "  operations: %s\n", legible.Line(strings.Join(s.Operations, " ")))
			if len(s.Missing) > 0 {
				fmt.Fprintf(b, "  not offered: %s\n", legible.Line(strings.Join(s.Missing, " ")))
			}
		}
	})
}

// fitCapabilities shortens: servers from the end go.
func fitCapabilities(c *result.Capabilities, max int) {
	fit(max, c, func() bool {
		n := len(c.Servers)
		c.Servers = c.Servers[:halve(n)]
		c.Cut = fmt.Sprintf("all but %d servers", len(c.Servers))
		return n > 0
	})
}

func briefServers(s *result.Servers) string {
	return write(&s.Head, func(b *strings.Builder) {
		if len(s.Servers) == 0 && s.Cut == "" {
			fmt.Fprintln(b, "no servers")
		}
		if s.Action == "list" {
			writeServers(s, b)
			return
		}
		for i := range s.Servers {
			server := &s.Servers[i]
			fmt.Fprintf(b, "%s %s (root %s)", legible.Line(server.ID), server.State, legible.Line(server.Root))
			if server.Files > 0 {
				fmt.Fprintf(b, " %d %s", server.Files, plural(server.Files, "file"))
			}
			if server.Reason != "" {
				fmt.Fprintf(b, ": %s", oneLine(server.Reason))
			}
			fmt.Fprintln(b)
			if len(server.Install) > 0 {
				fmt.Fprintf(b, "  install it: %s\n", legible.Line(strings.Join(server.Install, "   or   ")))
			}
		}
	})
}

// fitServers shortens: servers from the end go.
func fitServers(s *result.Servers, max int) {
	fit(max, s, func() bool {
		n := len(s.Servers)
		s.Servers = s.Servers[:halve(n)]
		s.Cut = fmt.Sprintf("all but %d servers; name one", len(s.Servers))
		return n > 0
	})
}

func briefCrossReferences(c *result.CrossReferences) string {
	return write(&c.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d %s\n", legible.Line(c.Symbol), c.Total, plural(c.Total, "reference"))
		for _, r := range c.Repositories {
			fmt.Fprintf(b, "%s: %d\n", legible.Line(r.Root), r.Total)
			for _, f := range r.Files {
				for _, p := range f.Places {
					fmt.Fprintf(b, "  %s:%d:%d %s\n", legible.Line(f.Path), p.Line, p.Column, legible.Line(p.Text))
				}
			}
		}
	})
}

// fitCrossReferences shortens: the text of the lines goes, then files from the end.
func fitCrossReferences(c *result.CrossReferences, max int) {
	fit(max, c,
		func() (had bool) {
			for _, r := range c.Repositories {
				for _, f := range r.Files {
					for i := range f.Places {
						had = had || f.Places[i].Text != ""
						f.Places[i].Text = ""
					}
				}
			}
			c.Cut = "the text of the lines; raise max_bytes to get it"
			return had
		},
		func() (had bool) {
			for i := range c.Repositories {
				files := &c.Repositories[i].Files
				had = had || len(*files) > 0
				*files = (*files)[:halve(len(*files))]
			}
			c.Cut = "files with references; ask about fewer roots, or raise max_bytes"
			return had
		})
}
