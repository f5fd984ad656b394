package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"
)

// serverName is how we are called among an agent's MCP servers.
const serverName = "lspine"

// A serverStyle is how an agent's configuration describes an MCP server.
type serverStyle int

const (
	plainServer serverStyle = iota // command and args, and a type if it has a kind
	toolsServer                    // Copilot's: the tools besides
	listServer                     // opencode's: a command that is a list
	tomlServer                     // Codex's
	yamlServer                     // Continue's: a file of its own
)

// server is how an agent is told of MCP servers.
type server struct {
	// location is the file that names them.
	location
	// key is the member that the servers are in.
	key   string
	style serverStyle
	// kind is the type of a server that has one.
	kind string
	// strips says that it starts servers without most of its environment.
	strips bool
}

// A NoScopeError says that an agent has no such file.
type NoScopeError struct {
	Agent string
	Scope Scope
}

func (e *NoScopeError) Error() string {
	return fmt.Sprintf("%s has no MCP servers of a %s", e.Agent, e.Scope)
}

// Hint names the other scope.
func (e *NoScopeError) Hint() string { return "--scope user connects it for all your projects" }

// Server plans the changes by which an agent starts command as an MCP server or, if wanted is false, does not
// any more. For an agent that knows no MCP servers, it plans nothing.
func (p *Plan) Server(agent string, scope Scope, command []string, wanted bool) error {
	a, is := known[agent]
	c := a.server
	switch {
	case !is:
		return &UnknownAgentError{agent, Connectable()}
	case c == nil:
		return nil
	case scope == Project && c.project == "" && wanted:
		return &NoScopeError{agent, scope}
	case scope == Project && c.project == "":
		return nil
	}
	file := p.place.file(agent, c.location, scope)
	switch c.style {
	case tomlServer:
		return p.tomlServer(file, command, p.place.stripped(c, scope), wanted)
	case yamlServer:
		return p.yamlServer(file, command, wanted)
	}
	return p.editJSON(file, wanted, func(f *jsonFile) error {
		servers := member(f.object(), c.key)
		if !wanted {
			if o := objectOf(servers); o != nil && member(o, serverName) != nil {
				if dropMember(o, serverName); len(o.Members) == 0 {
					dropMember(f.object(), c.key)
				}
			}
			return nil
		}
		if servers == nil {
			var err error
			if servers, err = f.ensureMember(f.object(), 0, c.key, json.RawMessage("{}")); err != nil {
				return err
			}
		}
		o := objectOf(servers)
		if o == nil {
			return fmt.Errorf("%q is no object", c.key)
		}
		entry := c.entry(command)
		if there := member(o, serverName); there != nil {
			if bytes.Equal(decoded(there), entry) {
				return nil
			}
			dropMember(o, serverName)
		}
		_, err := f.ensureMember(o, 1, serverName, entry)
		return err
	})
}

// objectOf returns a value as an object, nil if it is none.
func objectOf(v *hujson.Value) *hujson.Object {
	if v == nil {
		return nil
	}
	o, _ := v.Value.(*hujson.Object)
	return o
}

// entry is the description of us as a server.
func (c *server) entry(command []string) json.RawMessage {
	if c.style == listServer {
		return entryOf(listedServer{Type: "local", Command: command, Enabled: true})
	}
	s := stdioServer{Type: c.kind, Command: command[0], Args: command[1:]}
	if c.style == toolsServer {
		s.Tools = []string{"*"}
	}
	return entryOf(s)
}

type stdioServer struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

type listedServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// environment are the variables that change what language servers answer.
var environment = []string{
	"GOFLAGS", "GOOS", "GOARCH", "GOWORK", "GOPATH", "GOMODCACHE", "GOCACHE", "VIRTUAL_ENV", "CONDA_PREFIX", "NODE_PATH",
	"JAVA_HOME", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO_HOME",
}

// stripped returns the variables that an agent keeps from its servers, as they are now. A
// project's file is for other machines too, and gets none.
func (p *Place) stripped(c *server, scope Scope) (variables []string) {
	if !c.strips || scope == Project {
		return nil
	}
	for _, name := range environment {
		if value := p.lookup(name); value != "" {
			variables = append(variables, name+"="+value)
		}
	}
	return variables
}

// tomlServer plans Codex's table for us: text at the end of its file.
func (p *Plan) tomlServer(path string, command, variables []string, wanted bool) error {
	c, err := p.changeOf(path)
	if err != nil || !wanted && c.Removed {
		return err
	}
	c.lines = true
	var there struct {
		Servers map[string]toml.Primitive `toml:"mcp_servers"`
	}
	if _, err := toml.Decode(string(c.After), &there); err != nil {
		return fmt.Errorf("%s: it is no TOML: %w", path, err)
	}
	text, found := withoutTable(string(c.After), "mcp_servers."+serverName)
	if _, has := there.Servers[serverName]; has && !found {
		return fmt.Errorf("%s: %w", path, errInline)
	}
	if !wanted {
		if c.After = []byte(text); strings.TrimSpace(text) == "" {
			c.After, c.Removed = nil, true
		}
		return nil
	}
	if text != "" {
		text = strings.TrimRight(text, "\n") + "\n\n"
	}
	text += fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\nargs = [%s]\n", serverName, tomlString(command[0]), tomlList(command[1:]))
	if len(variables) > 0 {
		text += fmt.Sprintf("\n[mcp_servers.%s.env]\n", serverName)
		for _, v := range variables {
			name, value, _ := strings.Cut(v, "=")
			text += name + " = " + tomlString(value) + "\n"
		}
	}
	c.After, c.Removed = []byte(text), false
	return nil
}

// errInline is why a description of us is left alone.
var errInline = errors.New("lspine is described there in a form that is not written by us; take it out by hand")

// withoutTable returns a TOML text without a table and those inside it, and whether it was
// there.
func withoutTable(text, name string) (rest string, found bool) {
	var b strings.Builder
	inside := false
	for line := range strings.SplitAfterSeq(text, "\n") {
		if header := strings.TrimSpace(line); strings.HasPrefix(header, "[") {
			inside = header == "["+name+"]" || strings.HasPrefix(header, "["+name+".")
			found = found || inside
		}
		if !inside {
			b.WriteString(line)
		}
	}
	if !found {
		return text, false
	}
	rest = b.String()
	if trimmed := strings.TrimRight(rest, "\n"); trimmed != "" {
		rest = trimmed + "\n"
	}
	return rest, true
}

func tomlString(s string) string {
	quoted, err := json.Marshal(s) // TOML's basic strings have JSON's escapes
	if err != nil {
		panic(err) // it is a string
	}
	return string(quoted)
}

func tomlList(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = tomlString(word)
	}
	return strings.Join(quoted, ", ")
}

// yamlServer plans a file of our own.
func (p *Plan) yamlServer(path string, command []string, wanted bool) error {
	c, err := p.changeOf(path)
	if err != nil {
		return err
	}
	c.lines = true
	if c.Removed = !wanted; wanted {
		c.After = fmt.Appendf(nil, "name: lspine\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: lspine\n    command: %s\n    args: [%s]\n",
			tomlString(command[0]), tomlList(command[1:]))
	}
	return nil
}
