// Package config reads LSPine's settings from their layers: the built-in
// defaults, the user's file, the project's file, the environment, the host and flags,
// each winning over those before it. It starts nothing, and what it cannot use
// it reports with file, line and key, and leaves out.
package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/registry"
)

// A Config is the merged result. It is not changed after [Load], except by [Config.Complete], and
// may be read concurrently.
type Config struct {
	Settings Settings
	// Servers are the built-in definitions with what the layers override, then
	// the custom ones in the order they are first named. See [Options.Sparse].
	Servers registry.Table
	// Untrusted is what the project's file asked for and did not get.
	Untrusted []Untrusted
	// Trust is what the user said of the project.
	Trust Trust
	// Files are the configuration files that were looked for, found or not.
	Files []File

	sources map[string]Source
	values  map[string]json.RawMessage // of servers, as they were written
	// unregistered are the ids of servers that do not start because policyMode is non-interactive.
	unregistered []string
	// chosen are the ids of the servers that the user's own configuration names.
	chosen []string
	// complete makes Servers if they are not made yet; nil if they are.
	complete func()
}

// Complete makes Servers after a sparse [Load]; see [Options.Sparse]. It may be called concurrently and
// more than once, but only what comes after a call may read Servers.
func (c *Config) Complete() {
	if c.complete != nil {
		c.complete()
	}
}

// Known returns Servers, made if they are not yet; see [Config.Complete].
func (c *Config) Known() registry.Table {
	c.Complete()
	return c.Servers
}

// Chosen reports whether the user's own configuration names a server. One that only a project's file
// names is not chosen: whoever can write a checkout could have written that.
func (c *Config) Chosen(id string) bool { return slices.Contains(c.chosen, id) }

// Unregistered reports whether a server does not start because nobody may be asked, and the
// user's own configuration does not name it.
func (c *Config) Unregistered(id string) bool { return slices.Contains(c.unregistered, id) }

// PolicyOf returns the user's policy.
func (s *Settings) PolicyOf() *policy.Policy {
	return &policy.Policy{Mode: s.PolicyMode, Rules: s.Policy}
}

// Settings are the scalars and lists below "lsp". The name in the file is the
// field's with a small first letter; durations are milliseconds there.
type Settings struct {
	// Enabled is false if "lsp" is false: no server is started and no tool is offered.
	Enabled bool
	// DiagnosticTimeout limits the wait for diagnostics of a file whose server has answered before.
	DiagnosticTimeout time.Duration
	// FirstTouchTimeout limits the wait for the first diagnostics of a server, including its start.
	FirstTouchTimeout time.Duration
	// PatienceLimit limits the total wait, which may exceed these two time-outs, for a server that
	// is demonstrably working, as its progress or its processor time shows; 0 means that no server
	// is waited for longer.
	PatienceLimit time.Duration
	// RequestTimeout limits navigation and all other requests.
	RequestTimeout time.Duration
	// MaxDiagnosticsPerFile limits the diagnostics shown for one file.
	MaxDiagnosticsPerFile int
	// MaxProjectDiagnosticsFiles limits the other files shown after an edit.
	MaxProjectDiagnosticsFiles int
	// MaxTotalLines limits the lines of diagnostics in one answer.
	MaxTotalLines int
	// IncludeSeverities are the severities shown; never empty.
	IncludeSeverities []Severity
	// NavigationTools offers definition, references and the like. If false, only diagnostics are
	// offered.
	NavigationTools bool
	// MaxDependants limits the dependants of a file that are checked with it.
	MaxDependants int
	// LargeProjectFiles is the number of files of one language from which on a project is large.
	// After a change in a large project, the files that use what changed are judged first, and the
	// rest is waited for only if the texts do not prove that it is unaffected.
	LargeProjectFiles int
	// MaxRestarts limits the restarts of a crashed server; 0 means none.
	MaxRestarts int
	// ServerIdle is how long a server may be unused before it is stopped; the next request starts
	// it again. 0 means that it is never stopped.
	ServerIdle time.Duration
	// MaxServers limits the servers that run at the same time, in all workspaces that have a
	// daemon: an additional one replaces the least recently used; 0 means no limit. Servers that
	// are busy are not stopped.
	MaxServers int
	// MaxServerMemory limits the memory that these servers use together, in MiB: above it, the
	// least recently used server is stopped when another is used; 0 means no limit.
	MaxServerMemory int
	// Daemon says whether `lspine mcp` and the commands of the command line share a process that
	// keeps the servers running: "auto", where that is possible, or "never".
	Daemon DaemonUse
	// DaemonIdle is how long the daemon stays without a client; 0 means until it is stopped.
	DaemonIdle time.Duration
	// ReferenceCache says whether the answers to questions about where a symbol is used are kept on disk, in the user's cache
	// folder, and given again, without asking a server, while nothing has changed that could change them: "on" or "off".
	ReferenceCache ReferenceCacheUse
	// Indexes says whether references and definition may answer, without asking a server, from SCIP indexes that were imported,
	// while no change matters: "on", unless the server runs and is not busy; "always"; or "off". It needs referenceCache.
	Indexes IndexesUse
	// SelfCorrectionLimit limits the rounds in which new errors are reported back to a model; 0
	// means none.
	SelfCorrectionLimit int
	// AutoDetect starts built-in servers for the files they fit. If false, built-in servers that no
	// layer names are disabled.
	AutoDetect bool
	// Import reads the servers in other agents' files, in the workspace and in the home folder:
	// .lsp.json, .github/lsp.json, ~/.copilot/lsp-config.json, .syndicate/lsp.json, opencode.json,
	// crush.json, cclsp.json. Our own files take precedence.
	Import bool
	// MaxFileBytes is the size from which on a file is not opened.
	MaxFileBytes int64
	// MaxOpenDocuments limits the documents open per server between calls. Files that changed
	// together are open together while they are judged, however many they are.
	MaxOpenDocuments int
	// Ignore are globs, relative to the root, of files to leave alone.
	Ignore []string
	// PassEnv lists variables that are passed to servers although they look secret.
	PassEnv []string
	// HideEnv lists variables that servers do not get, and whose values the evidence does not hold, besides those that
	// look secret. A project's file cannot set them.
	HideEnv []string
	// AllowRoots are folders in which `lspine mcp` may write in addition to its usual ones,
	// absolute or beginning with ~/. A project's file cannot set them.
	AllowRoots []string
	// TrustedRoots are folders whose own programs and libraries may run, such as the TypeScript in
	// node_modules, absolute or beginning with ~/. A project's file cannot set them.
	TrustedRoots []string
	// Trust is "ask": what the user has said of a folder counts (lspine trust), "always": every folder is trusted, or
	// "never": none is, whatever the user has said; for a machine that builds what others propose. A project's file
	// cannot set it.
	Trust TrustUse
	// Policy are the rules that say which calls are allowed, asked about or denied, such as
	// {"match": {"class": "edit", "path": "migrations/**"}, "action": "deny", "reason": "…"}. The
	// first that matches decides; if none does, the built-in rules decide. A project's file cannot
	// set them.
	Policy []policy.Rule
	// PolicyMode is how lspine is used: "interactive"; "non-interactive", where nobody is asked and
	// only servers start that your own configuration names; or "sensitive", where everything that
	// changes or runs something is asked about. A project's file cannot set it.
	PolicyMode policy.Mode
	// AskTimeout limits how long a person may take to answer a question of the policy; after that,
	// the rule's fallback decides. A project's file cannot set it.
	AskTimeout time.Duration
	// Evidence is the file in which lspine records what was requested, decided and changed,
	// absolute or beginning with ~/; "" means evidence.jsonl in lspine's folder below
	// XDG_STATE_HOME, and "off" records nothing. Nothing in it is sent anywhere. A project's file
	// cannot set it.
	Evidence string
	// EvidenceContents also records whole requests, with the texts of files in them. A project's
	// file cannot set it.
	EvidenceContents bool
	// EvidenceMaxSize is the size in MiB from which on that file is moved away, and its chain
	// continues in a new one. No file is ever removed. A project's file cannot set it.
	EvidenceMaxSize int
}

// TrustUse says which folders are trusted, as written in a configuration.
type TrustUse string

const (
	TrustAsk    TrustUse = "ask"
	TrustAlways TrustUse = "always"
	TrustNever  TrustUse = "never"
)

// DaemonUse says whether a daemon is used, as written in a configuration.
type DaemonUse string

const (
	DaemonAuto  DaemonUse = "auto"
	DaemonNever DaemonUse = "never"
)

// ReferenceCacheUse says whether answers are kept, as written in a configuration.
type ReferenceCacheUse string

const (
	ReferenceCacheOn  ReferenceCacheUse = "on"
	ReferenceCacheOff ReferenceCacheUse = "off"
)

// IndexesUse says whether imported indexes answer, as written in a configuration.
type IndexesUse string

const (
	IndexesOn     IndexesUse = "on"
	IndexesAlways IndexesUse = "always"
	IndexesOff    IndexesUse = "off"
)

// Severity is that of a diagnostic, as written in a configuration.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
	Hint    Severity = "hint"
)

// Defaults returns the settings without any configuration.
func Defaults() Settings {
	return Settings{
		Enabled:                    true,
		DiagnosticTimeout:          3 * time.Second,
		FirstTouchTimeout:          10 * time.Second,
		PatienceLimit:              25 * time.Second,
		RequestTimeout:             30 * time.Second,
		MaxDiagnosticsPerFile:      20,
		MaxProjectDiagnosticsFiles: 5,
		MaxTotalLines:              50,
		IncludeSeverities:          []Severity{Error},
		NavigationTools:            true,
		MaxDependants:              50,
		LargeProjectFiles:          3000,
		MaxRestarts:                1,
		ServerIdle:                 20 * time.Minute,
		MaxServers:                 12,
		Daemon:                     DaemonAuto,
		Trust:                      TrustAsk,
		DaemonIdle:                 30 * time.Minute,
		ReferenceCache:             ReferenceCacheOn,
		Indexes:                    IndexesOn,
		SelfCorrectionLimit:        2,
		AutoDetect:                 true,
		Import:                     true,
		MaxFileBytes:               2 << 20,
		MaxOpenDocuments:           100,
		PolicyMode:                 policy.Interactive,
		AskTimeout:                 45 * time.Second,
		EvidenceMaxSize:            64,
	}
}

// Layer says where a value comes from; later ones win.
type Layer string

const (
	LayerBuiltin     Layer = "built-in"
	LayerUser        Layer = "user"
	LayerProject     Layer = "project"
	LayerEnvironment Layer = "environment"
	LayerHost        Layer = "host"
	LayerFlag        Layer = "flag"
)

// A Source is the place a value comes from.
type Source struct {
	Layer Layer
	// File and Line (from 1) are those of a configuration file.
	File string
	Line int
	// Name is that of the variable or flag.
	Name string
}

func (s Source) String() string {
	switch {
	case s.File != "":
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	case s.Name != "":
		return s.Name
	}
	return string(s.Layer)
}

// Source tells where the value of a key comes from: "lsp.maxRestarts",
// "lsp.servers.gopls.settings.gopls.staticcheck". What no layer says is built in.
func (c *Config) Source(key string) Source {
	if s, ok := c.sources[key]; ok {
		return s
	}
	return Source{Layer: LayerBuiltin}
}

// What [Config.SourceOfServer] returns.
const (
	Registered   = "registered"
	AutoDetected = "auto-detected"
)

// SourceOfServer returns Registered for a server that some configuration names, else AutoDetected:
// that one starts because it fits the files.
func (c *Config) SourceOfServer(id string) string {
	if c.Source("lsp.servers."+id).Layer == LayerBuiltin {
		return AutoDetected
	}
	return Registered
}

// Given returns the values below a server that some layer gave, by key; of values
// within objects each alone. Their keys have no variable and no kind.
func (c *Config) Given(id string) (given []Value) {
	prefix := "lsp.servers." + id + "."
	for key, source := range c.sources {
		if value, ok := c.values[key]; ok && strings.HasPrefix(key, prefix) {
			given = append(given, Value{Key{Path: key}, value, source})
		}
	}
	slices.SortFunc(given, func(a, b Value) int { return strings.Compare(a.Key.Path, b.Key.Path) })
	return given
}

// A File is a configuration file that was looked for.
type File struct {
	Layer Layer
	Path  string
	Found bool
}

// Untrusted is a value in the project's file that could run something, or let
// secrets out, and is therefore not applied.
type Untrusted struct {
	// ID is the server's id; empty for a setting of its own.
	ID string
	// Field is the key within the server or, without one, within "lsp".
	Field string
	// Value is JSON on one line.
	Value string
	File  string
	Line  int // from 1
	// Hint tells a person what to do to have it.
	Hint string
	// Imported says that it is in a file of another agent.
	Imported bool
}

func (u Untrusted) String() string {
	what := u.Field
	if u.ID != "" {
		what = u.ID + "." + u.Field
	}
	return fmt.Sprintf("%s:%d: %s is not applied: %s", u.File, u.Line, what, u.Hint)
}

// A Problem is something in a layer that was not used, or not as written.
type Problem struct {
	Layer Layer
	// File, Line and Column (from 1, in characters) are those of a file; Line is
	// 0 if the problem is the file itself.
	File         string
	Line, Column int
	// Name is that of the variable or flag.
	Name string
	// Key is the path of the value, such as "lsp.servers.gopls.args"; empty if
	// there is none.
	Key string
	// Message says what is wrong, Hint what to do; Hint may be empty.
	Message, Hint string
}

// Error writes the problem as a compiler would.
func (p Problem) Error() string {
	where := p.Name
	if p.File != "" {
		where = p.File
		if p.Line > 0 {
			where = fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
		}
	}
	text := where + ": "
	if p.Key != "" {
		text += p.Key + ": "
	}
	text += p.Message
	if p.Hint != "" {
		text += " (" + p.Hint + ")"
	}
	return text
}
