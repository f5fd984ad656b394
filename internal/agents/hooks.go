package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"
)

// A Scope is whose configuration it is.
type Scope string

// The scopes: the person's own, for all their projects, or that of one project, for
// everybody who works on it.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// A hookStyle is how an agent's configuration names a hook.
type hookStyle int

const (
	grouped hookStyle = iota // groups with a matcher, as Claude Code has them
	listed                   // a list of commands
	copilot                  // a list, with a command for each shell
	script                   // one script for each event
	plugin                   // a plugin in the agent's own language
)

// How long an agent is to wait for a hook, in seconds: the model waits, too, after each of its edits,
// and only once at the end of a turn.
const (
	hookTimeout = 20
	endTimeout  = 120
)

// hooks is how an agent runs hooks.
type hooks struct {
	// location is the file that names them; the folder of the scripts, or the plugin, if the style is one of these.
	location
	style        hookStyle
	plugin       string // the text of the plugin
	milliseconds bool   // in which its time-outs are
	version      bool   // the file has one
	// usual is how long the agent waits for a hook whose time-out is not configured, in seconds.
	usual int
	// events are in the order in which they are written. A matcher names the tools whose hooks are of interest, as the
	// agent names them.
	events []hookEvent
	// trust is what the person has to do before the agent runs them, "" for nothing.
	trust string
}

type hookEvent struct {
	name    string
	matcher string // "" is every tool, or none
	limit   int    // how often it may hold a turn back, 0 is not said
	ends    bool   // a turn
	usual   int    // as the agent's, if it differs
}

// timeout returns how long the agent is to wait for the hook, in seconds.
func (e *hookEvent) timeout() int {
	if e.ends {
		return endTimeout
	}
	return hookTimeout
}

// errForeign is why a script is left alone.
var errForeign = errors.New("somebody else's script is there")

// Hooks plans the changes by which an agent runs command as its hooks or, if wanted is false, does not
// any more. A file that cannot be parsed is an error that names it.
func (p *Plan) Hooks(agent string, scope Scope, command []string, wanted bool) error {
	h := known[agent].hooks
	if h == nil {
		return &UnknownAgentError{agent, Hookable()}
	}
	file := p.place.file(agent, h.location, scope)
	switch h.style {
	case script:
		return p.scripts(h, file, command, wanted)
	case plugin:
		return p.plugin(agent, h, file, command, wanted)
	}
	return p.editJSON(file, wanted, func(f *jsonFile) error {
		if wanted {
			return f.install(h, command)
		}
		f.uninstall()
		return nil
	})
}

// install puts our hooks below "hooks", in the place of earlier ones of ours.
func (f *jsonFile) install(h *hooks, command []string) error {
	if h.version {
		if _, err := f.ensureMember(f.object(), 0, "version", json.RawMessage("1")); err != nil {
			return err
		}
	}
	hooks, err := f.ensureMember(f.object(), 0, "hooks", json.RawMessage("{}"))
	if err != nil {
		return err
	}
	events, ok := hooks.Value.(*hujson.Object)
	if !ok {
		return errors.New(`"hooks" is no object`)
	}
	for _, e := range h.events {
		list, err := f.ensureMember(events, 1, e.name, json.RawMessage("[]"))
		if err != nil {
			return err
		}
		array, ok := list.Value.(*hujson.Array)
		if !ok {
			return fmt.Errorf(`"hooks.%s" is no list`, e.name)
		}
		entry := h.entry(e, command)
		if hasEntry(array, entry) {
			continue
		}
		dropElements(array, dropOurs)
		if err := f.appendElement(array, 2, entry); err != nil {
			return err
		}
	}
	return nil
}

// hasEntry reports whether exactly this entry is in a list.
func hasEntry(list *hujson.Array, entry json.RawMessage) bool {
	for i := range list.Elements {
		if bytes.Equal(decoded(&list.Elements[i]), entry) {
			return true
		}
	}
	return false
}

// uninstall removes our hooks, and what they alone were in.
func (f *jsonFile) uninstall() {
	hooks := member(f.object(), "hooks")
	if hooks == nil {
		return
	}
	events, ok := hooks.Value.(*hujson.Object)
	if !ok {
		return
	}
	var emptied []string
	for i := range events.Members {
		name, _ := events.Members[i].Name.Value.(hujson.Literal)
		if list, ok := events.Members[i].Value.Value.(*hujson.Array); ok && dropElements(list, dropOurs) && len(list.Elements) == 0 {
			emptied = append(emptied, name.String())
		}
	}
	for _, name := range emptied {
		dropMember(events, name)
	}
	if len(emptied) > 0 && len(events.Members) == 0 {
		dropMember(f.object(), "hooks")
	}
}

// dropOurs reports whether an entry runs us and nothing else; out of one that runs others
// too it takes us.
func dropOurs(entry *hujson.Value) bool {
	o, ok := entry.Value.(*hujson.Object)
	if !ok {
		return false
	}
	if handlers := member(o, "hooks"); handlers != nil {
		list, ok := handlers.Value.(*hujson.Array)
		return ok && dropElements(list, isOurs) && len(list.Elements) == 0
	}
	return isOurs(entry)
}

// isOurs reports whether a handler runs us.
func isOurs(handler *hujson.Value) bool {
	var h struct{ Command, Bash, Exec string }
	return json.Unmarshal(decoded(handler), &h) == nil && runUs(h.Command, h.Bash, h.Exec)
}

// runUs reports whether one of some commands runs us.
func runUs(commands ...string) bool {
	for _, command := range commands {
		program, rest, _ := strings.Cut(command, " ")
		if quoted, found := strings.CutPrefix(command, `"`); found {
			program, rest, _ = strings.Cut(quoted, `"`)
		}
		if words := strings.Fields(rest); len(words) > 0 && words[0] == "hook" && isOurName(program) {
			return true
		}
	}
	return false
}

// isOurName reports whether a program is one of our builds.
func isOurName(program string) bool {
	base := program[strings.LastIndexAny(program, `/\`)+1:]
	return strings.TrimSuffix(base, ".exe") == "lspine"
}

// A handler is one command of a hook, and a group those for some tools. The order of the
// fields is that of the file.
type handler struct {
	Type       string `json:"type,omitempty"`
	Matcher    string `json:"matcher,omitempty"` // in a list
	Name       string `json:"name,omitempty"`
	Command    string `json:"command,omitempty"`
	Bash       string `json:"bash,omitempty"`
	PowerShell string `json:"powershell,omitempty"`
	Timeout    int    `json:"timeout,omitempty"`
	TimeoutSec int    `json:"timeoutSec,omitempty"`
	LoopLimit  int    `json:"loop_limit,omitempty"`
}

type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks,omitempty"`
}

// An entry is what we write into a configuration: a group or a handler of hooks, or a server.
type entry interface {
	handler | group | stdioServer | listedServer
}

// entry returns what we add to the list of an event.
func (h *hooks) entry(e hookEvent, command []string) json.RawMessage {
	line := shellLine(command)
	switch h.style {
	case copilot:
		return entryOf(handler{Type: "command", Matcher: e.matcher, Bash: line, PowerShell: line, TimeoutSec: e.timeout()})
	case listed:
		return entryOf(handler{Command: line, Timeout: e.timeout(), LoopLimit: e.limit})
	}
	one := handler{Type: "command", Command: line, Timeout: e.timeout()}
	if h.milliseconds {
		one.Name, one.Timeout = "lspine", e.timeout()*1000
	}
	return entryOf(group{Matcher: e.matcher, Hooks: []handler{one}})
}

// entryOf is an entry as JSON.
func entryOf[T entry](entry T) json.RawMessage {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(entry); err != nil {
		panic(err) // it holds texts and numbers
	}
	return bytes.TrimSpace(b.Bytes())
}

// shellLine returns a command as a shell takes it.
func shellLine(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = word
		if strings.ContainsAny(word, " '\"$&()[]{};<>|*?`\\") {
			words[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(word) + `"`
		}
	}
	return strings.Join(words, " ")
}

// scripts plans the scripts of an agent that has one for each event. One that is not ours
// is left alone; it is an error if it is that of the first event, without which the others are of no
// use.
func (p *Plan) scripts(h *hooks, folder string, command []string, wanted bool) error {
	const mark = "# Written by lspine; lspine uninstall removes it.\n"
	for i, e := range h.events {
		c, err := p.changeOf(filepath.Join(folder, e.name))
		if err != nil {
			return err
		}
		c.lines = true
		ours := bytes.Contains(c.After, []byte(mark))
		switch {
		case len(c.After) > 0 && !ours && i > 0:
		case len(c.After) > 0 && !ours && wanted:
			return fmt.Errorf("%s: %w", c.Path, errForeign)
		case wanted:
			c.After, c.Executable, c.Removed = []byte("#!/bin/sh\n"+mark+"exec "+shellLine(command)+" --host cline\n"), true, false
		case ours:
			c.After, c.Removed = nil, true
		}
	}
	return nil
}
