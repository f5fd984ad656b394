package render

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Done says what an operation without a result did.
type Done struct {
	Head
	// Path is the file, if it was about one.
	Path string `json:"path,omitempty"`
	Done string `json:"done"`
}

// Brief implements [Reply].
func (d *Done) Brief() string {
	return d.write(func(b *strings.Builder) {
		if d.Path != "" {
			fmt.Fprintf(b, "%s: ", defused(d.Path))
		}
		fmt.Fprintln(b, defused(d.Done))
	})
}

// Fit implements [Reply]; only the text can be cut.
func (d *Done) Fit(max int) { fit(max, d) }

// Folders are the folders that servers were told of.
type Folders struct {
	Head
	Root    string   `json:"root"`
	Folders []Folder `json:"folders"`
}

// A Folder is a workspace folder.
type Folder struct {
	Path string `json:"path"`
	// Servers are the ids of the running servers that were told of it.
	Servers []string `json:"servers"`
	// Refused says which servers cannot take it, and why.
	Refused []string `json:"refused,omitempty"`
}

// Brief implements [Reply].
func (f *Folders) Brief() string {
	return f.write(func(b *strings.Builder) {
		for _, folder := range f.Folders {
			fmt.Fprintf(b, "%s %s\n", defused(folder.Path), strings.Join(folder.Servers, " "))
			for _, r := range folder.Refused {
				fmt.Fprintf(b, "  %s\n", oneLine(r))
			}
		}
	})
}

// Fit implements [Reply]; only the text can be cut.
func (f *Folders) Fit(max int) { fit(max, f) }

// Capabilities are what the running servers offer.
type Capabilities struct {
	Head
	Servers []ServerCapabilities `json:"servers"`
}

// ServerCapabilities are what one server offers.
type ServerCapabilities struct {
	ID      string `json:"id"`
	Root    string `json:"root"`
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	// Operations are ours that it can do; Missing those that it cannot.
	Operations []string `json:"operations"`
	Missing    []string `json:"missing,omitempty"`
	// Methods are LSP's that it declared.
	Methods []string `json:"methods"`
	// Raw is the capabilities member of its answer to initialize.
	Raw json.RawMessage `json:"raw,omitempty"`
}

// Brief implements [Reply].
func (c *Capabilities) Brief() string {
	return c.write(func(b *strings.Builder) {
		if len(c.Servers) == 0 && c.Cut == "" {
			fmt.Fprintln(b, "no server runs")
		}
		for i := range c.Servers {
			s := &c.Servers[i]
			fmt.Fprintf(b, "%s %s (root %s)\n", s.ID, oneLine(cut(s.Version, 60)), defused(s.Root))
			fmt.Fprintf(b, "  operations: %s\n", strings.Join(s.Operations, " "))
			if len(s.Missing) > 0 {
				fmt.Fprintf(b, "  not offered: %s\n", strings.Join(s.Missing, " "))
			}
		}
	})
}

// Fit implements [Reply]: servers from the end go.
func (c *Capabilities) Fit(max int) {
	fit(max, c, func() bool {
		n := len(c.Servers)
		c.Servers = c.Servers[:halve(n)]
		c.Cut = fmt.Sprintf("all but %d servers", len(c.Servers))
		return n > 0
	})
}

// Servers are language servers and what was done with them.
type Servers struct {
	Head
	Action string `json:"action"`
	// Languages are those of the workspace, if servers were detected.
	Languages []string      `json:"languages,omitempty" jsonschema:"languages of the workspace that some server knows"`
	Servers   []ServerState `json:"servers"`
}

// A ServerState is one server for one root.
type ServerState struct {
	ID        string   `json:"id"`
	Languages []string `json:"languages"`
	Root      string   `json:"root"`
	State     string   `json:"state" jsonschema:"found, missing or disabled in a list; else installed, active, stopped, unavailable, …"`
	// Tested is "proven" if the project's own tests run the server, else "listed";
	// in a list alone.
	Tested string `json:"tested,omitempty" jsonschema:"proven by the tests of the project, or listed from documentation"`
	// Files is how many files of the workspace need it.
	Files   int      `json:"files,omitempty"`
	Binary  string   `json:"binary,omitempty"`
	Version string   `json:"version,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Install []string `json:"install,omitempty" jsonschema:"commands that would install it"`
}

// Brief implements [Reply].
func (s *Servers) Brief() string {
	return s.write(func(b *strings.Builder) {
		if len(s.Servers) == 0 && s.Cut == "" {
			fmt.Fprintln(b, "no servers")
		}
		if s.Action == "list" {
			s.list(b)
			return
		}
		for i := range s.Servers {
			server := &s.Servers[i]
			fmt.Fprintf(b, "%s %s (root %s)", server.ID, server.State, defused(server.Root))
			if server.Files > 0 {
				fmt.Fprintf(b, " %d %s", server.Files, plural(server.Files, "file"))
			}
			if server.Reason != "" {
				fmt.Fprintf(b, ": %s", oneLine(server.Reason))
			}
			fmt.Fprintln(b)
			if len(server.Install) > 0 {
				fmt.Fprintf(b, "  install it: %s\n", defused(strings.Join(server.Install, "   or   ")))
			}
		}
	})
}

// Fit implements [Reply]: servers from the end go.
func (s *Servers) Fit(max int) {
	fit(max, s, func() bool {
		n := len(s.Servers)
		s.Servers = s.Servers[:halve(n)]
		s.Cut = fmt.Sprintf("all but %d servers; name one", len(s.Servers))
		return n > 0
	})
}

// CrossReferences are the uses of a symbol, by repository.
type CrossReferences struct {
	Head
	Symbol       string           `json:"symbol"`
	Total        int              `json:"total"`
	Repositories []RepositoryUses `json:"repositories"`
}

// RepositoryUses are the uses in one repository.
type RepositoryUses struct {
	// Root is absolute; the workspace comes first.
	Root  string      `json:"root"`
	Total int         `json:"total"`
	Files []PlaceFile `json:"files"`
}

// Brief implements [Reply].
func (c *CrossReferences) Brief() string {
	return c.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s: %d %s\n", defused(c.Symbol), c.Total, plural(c.Total, "reference"))
		for _, r := range c.Repositories {
			fmt.Fprintf(b, "%s: %d\n", defused(r.Root), r.Total)
			for _, f := range r.Files {
				for _, p := range f.Places {
					fmt.Fprintf(b, "  %s:%d:%d %s\n", defused(f.Path), p.Line, p.Column, defused(p.Text))
				}
			}
		}
	})
}

// Fit implements [Reply]: the text of the lines goes, then files from the end.
func (c *CrossReferences) Fit(max int) {
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
