// Package policy decides whether an operation may run: by the user's rules, of which the first
// that matches decides, and by built-in ones where none does. It is pure: it asks nobody, and
// touches neither files nor processes.
package policy

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/fspath"
)

// A Class says what an operation may do to the world.
type Class string

// The classes.
const (
	Read    Class = "read"    // reads files and asks language servers
	Edit    Class = "edit"    // may write files inside the workspace
	Execute Class = "execute" // runs programs: builds, tests, commands of servers
	Admin   Class = "admin"   // starts, stops or reconfigures servers
)

// Classes are all of them.
var Classes = []Class{Read, Edit, Execute, Admin}

// A Mode is how lspine is used; it chooses the built-in rules, and rules may ask for it.
type Mode string

// The modes.
const (
	Interactive    Mode = "interactive"     // somebody watches, and may be asked
	NonInteractive Mode = "non-interactive" // nobody is asked; only servers that the user registered start
	Sensitive      Mode = "sensitive"       // what changes or runs something is asked about
)

// Modes are all of them.
var Modes = []Mode{Interactive, NonInteractive, Sensitive}

// An Action is what a rule does with a call.
type Action string

// The actions, the milder before the stricter.
const (
	Allow Action = "allow"
	Ask   Action = "ask" // a person decides; where none can be asked, the rule's fallback does
	Deny  Action = "deny"
)

// Actions are all of them.
var Actions = []Action{Allow, Ask, Deny}

// A Match says which calls a rule is about: those that fit every list that is not empty. What
// stands in a list are globs, of which one has to fit.
type Match struct {
	Operation []string `json:"operation,omitempty"`
	Class     []string `json:"class,omitempty"`
	// Path are globs of files and folders: relative to the workspace root, or absolute.
	Path []string `json:"path,omitempty"`
	// Server are ids of language servers.
	Server []string `json:"server,omitempty"`
	// Client are fronts, such as cli, or a front with its client, such as mcp/claude-code.
	Client []string `json:"client,omitempty"`
	Mode   []string `json:"mode,omitempty"`
}

// A Rule is what happens to the calls that it matches.
type Rule struct {
	Match  Match  `json:"match"`
	Action Action `json:"action"`
	// Fallback is what an ask comes to where nobody can be asked or nobody answers: allow, or
	// deny, which "" means, too.
	Fallback Action `json:"fallback,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Source is where the rule stands, as FILE:LINE; "" of a built-in one.
	Source string `json:"-"`
}

// A Policy is the rules of one user. The zero Policy has the built-in rules of interactive
// use. It is not changed after it is made and may be read concurrently.
type Policy struct {
	Mode  Mode
	Rules []Rule
	// FoldsCase says that letters in another case name the same file, so that globs of paths fit them as well.
	FoldsCase bool
}

// A Path is one way to name a file or folder that a call is about.
type Path struct {
	// Relative is relative to the workspace root, with slashes; "" outside of it.
	Relative string
	// Absolute is absolute, with slashes.
	Absolute string
}

// A Subject is a call to be decided.
type Subject struct {
	Operation string
	Class     Class
	// Paths are those that it names or, once they are known, changes. A file that has several
	// names, because of links, stands here with each.
	Paths []Path
	// Servers are the ids of those that it names or that serve its paths.
	Servers []string
	// Client is the front that asks, with its client if it has one: cli, mcp/claude-code.
	Client string
}

// A Decision is what becomes of a call.
type Decision struct {
	Action Action
	// Fallback is that of an ask: allow or deny.
	Fallback Action
	// Rule is the one that decided; Number is its place among the user's rules, counted from 1,
	// 0 of a built-in one.
	Rule   Rule
	Number int
	// Path is the one that the rule matched, "" if the rule is about no path.
	Path string
}

// Decide returns what becomes of a call: for each of its paths the first rule that matches
// decides, and of these decisions the strictest counts.
func (p *Policy) Decide(s Subject) Decision {
	if len(s.Paths) == 0 {
		return p.decide(&s, Path{})
	}
	var strictest Decision
	for i, of := range s.Paths {
		d := p.decide(&s, of)
		if i == 0 || d.strictness() > strictest.strictness() {
			strictest = d
		}
	}
	return strictest
}

// decide decides about one path; the zero Path is none.
func (p *Policy) decide(s *Subject, of Path) Decision {
	mode := cmp.Or(p.Mode, Interactive)
	for i := range p.Rules {
		if r := &p.Rules[i]; r.Match.fits(s, mode, p.named(of)) {
			return decisionOf(r, mode, i+1, of)
		}
	}
	for i := range builtin {
		if r := &builtin[i]; r.Match.fits(s, mode, p.named(of)) {
			return decisionOf(r, mode, 0, of)
		}
	}
	return Decision{Action: Deny, Fallback: Deny, Rule: Rule{Action: Deny, Reason: "no rule is about it"}} // a class that nobody knows
}

// named returns a path as globs are compared with it.
func (p *Policy) named(of Path) spelling { return spelling{of, p.FoldsCase} }

// A spelling is a path with what counts in it.
type spelling struct {
	Path
	foldsCase bool
}

// fits reports whether a glob fits a name.
func (s spelling) fits(glob, name string) bool {
	if s.foldsCase {
		glob, name = fspath.MacOS.Key(glob), fspath.MacOS.Key(name)
	}
	return name != "" && doublestar.MatchUnvalidated(glob, name)
}

func decisionOf(r *Rule, mode Mode, number int, of Path) Decision {
	d := Decision{Action: r.Action, Fallback: cmp.Or(r.Fallback, Deny), Rule: *r, Number: number}
	if len(r.Match.Path) > 0 {
		d.Path = cmp.Or(of.Relative, of.Absolute)
	}
	if d.Action == Ask && mode == NonInteractive {
		d.Action = d.Fallback
	}
	return d
}

// strictness orders decisions: what is allowed at once, asked about with a fallback that allows,
// with one that denies, and denied.
func (d *Decision) strictness() int {
	rank := 2 * slices.Index(Actions, d.Action)
	if d.Action == Ask && d.Fallback == Deny {
		rank++
	}
	return rank
}

// Stricter returns the stricter of two decisions, the first if they are equally strict.
func Stricter(a, b Decision) Decision {
	if b.StricterThan(&a) {
		return b
	}
	return a
}

// StricterThan reports whether a decision is stricter than another.
func (d *Decision) StricterThan(other *Decision) bool { return d.strictness() > other.strictness() }

// By returns what becomes of calls by a rule that is not one of the user's; its Source names it.
func (p *Policy) By(r Rule) Decision {
	return decisionOf(&r, cmp.Or(p.Mode, Interactive), 0, Path{})
}

// Asks says why a person is asked.
func (d *Decision) Asks() string {
	text := d.Why() + " asks first"
	if d.Path != "" {
		text += " for " + d.Path
	}
	if d.Rule.Reason != "" {
		text += ": " + d.Rule.Reason
	}
	return text
}

// Why names the rule that decided, and where it stands.
func (d *Decision) Why() string {
	switch {
	case d.Number > 0:
		return fmt.Sprintf("rule %d of your policy (%s)", d.Number, d.Rule.Source)
	case d.Rule.Source != "":
		return d.Rule.Source
	}
	return "the built-in rule for " + d.Rule.Match.String()
}

// String writes what a rule is about, in words.
func (m *Match) String() string {
	var parts []string
	for _, member := range []struct {
		name string
		list []string
	}{
		{"operation", m.Operation}, {"class", m.Class}, {"path", m.Path}, {"server", m.Server}, {"client", m.Client}, {"mode", m.Mode},
	} {
		if len(member.list) > 0 {
			parts = append(parts, member.name+" "+strings.Join(member.list, " or "))
		}
	}
	if len(parts) == 0 {
		return "everything"
	}
	return strings.Join(parts, ", ")
}

// fits reports whether a rule is about a call, as far as one of its paths is concerned.
func (m *Match) fits(s *Subject, mode Mode, of spelling) bool {
	return fitsOne(m.Operation, s.Operation) && fitsOne(m.Class, string(s.Class)) && fitsOne(m.Mode, string(mode)) &&
		m.fitsPath(of) && m.fitsServer(s.Servers) && m.fitsClient(s.Client)
}

// fitsOne reports whether one of some globs fits a name; without globs every name does.
func fitsOne(globs []string, name string) bool {
	return len(globs) == 0 || slices.ContainsFunc(globs, func(glob string) bool { return Fits(glob, name) })
}

// Fits reports whether a glob of a rule fits a name.
func Fits(glob, name string) bool { return glob == name || doublestar.MatchUnvalidated(glob, name) }

func (m *Match) fitsPath(of spelling) bool {
	if len(m.Path) == 0 {
		return true
	}
	return slices.ContainsFunc(m.Path, func(glob string) bool {
		if isAbsolute(glob) {
			return of.fits(glob, of.Absolute)
		}
		return of.fits(path.Clean(glob), of.Relative)
	})
}

// isAbsolute reports whether a glob with slashes begins at the root of a file system.
func isAbsolute(glob string) bool {
	return strings.HasPrefix(glob, "/") || len(glob) > 2 && glob[1] == ':' && glob[2] == '/'
}

func (m *Match) fitsServer(servers []string) bool {
	return len(m.Server) == 0 || slices.ContainsFunc(servers, func(id string) bool { return fitsOne(m.Server, id) })
}

// fitsClient reports whether a rule is about a client: by its whole name, or by its front alone.
func (m *Match) fitsClient(client string) bool {
	front, _, _ := strings.Cut(client, "/")
	return fitsOne(m.Client, client) || fitsOne(m.Client, front)
}
