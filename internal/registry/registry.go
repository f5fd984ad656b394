// Package registry holds what is known about language servers: how each is
// found, started, configured, and how it lets a client know that its
// diagnostics are complete. It is data; it starts nothing and reads no file.
package registry

import (
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Definition describes one language server. Definitions are values: a caller may change a copy obtained from [Table.Get].
type Definition struct {
	// ID names the server: lower case, no spaces. It is what a user writes
	// under lsp.servers in the configuration.
	ID string
	// Program is the id of the entry that is about the program that runs, where that is
	// another one; see [Definition.As].
	Program string
	// Tells are names by which the server makes itself known when it starts: the name that
	// it gives itself, a command that it alone has, the identifier of its pulls.
	Tells []string
	// Configured is what the configuration says.
	Configured Configured
	// Languages maps a file to its LSP language id.
	Languages []Language
	// Commands are the ways to start it, best first. The first whose binary is
	// found, and whose package version fits, is used.
	Commands []Command
	// Connect, if not empty, is the [Address] of a server that somebody else runs;
	// Commands are then unused.
	Connect string
	// Env is added to the environment of the process, as KEY=value.
	Env []string
	// UserConfig is configuration of the user that the server reads, and what is added
	// to it; nil adds nothing.
	UserConfig *UserConfig
	// Roots are the marker globs that make a directory a root, best first:
	// each is looked for all the way up before the next is tried.
	Roots []string
	// Lists are those of Roots that name the projects they are for: a project below
	// that one of them does not name is a root of its own.
	Lists []string
	// Manifests are the names of further files beside the markers in which a project
	// names others that it needs.
	Manifests []string
	// Reads are the extensions of files in none of its languages that change what it
	// says of others.
	Reads []string
	// Anew are the names of files at whose change the server is restarted: it
	// reads them at its start, or some time later without saying so.
	Anew []string
	// RenewedBy are the files by which the server loads a project, relative to its folder. If it
	// could not load one, and one of them or what the project lacks has changed since, it is
	// restarted: it does not look again by itself. Empty: it does.
	RenewedBy []string
	// Scope is how projects say which files are a part of them; World what else decides answers about the workspace.
	Scope Scope
	World World
	// Requires names marker globs without which the server makes no sense for
	// a file (a linter without its own configuration). Empty: no condition.
	Requires []string
	// Excludes names marker globs whose presence above a file rules the server
	// out (typescript below a deno.json).
	Excludes []string
	// SingleFile says that the server may run without a marker, with the
	// workspace root as its root.
	SingleFile bool
	// Sharing says how one process judges several roots of a workspace.
	Sharing Sharing
	// Role says what the server answers for.
	Role Role
	// Group, if not empty, names servers that stand in for each other: of one
	// group the available one with the lowest Rank serves a file.
	Group string
	// Rank is the place in the group, 1 for the best.
	Rank int
	// Judges is a package of projects, and the versions of it that the server is made for.
	// Of a group the servers that are made for the version of a project come first there.
	Judges *Package
	// Library is the package that the server loads in order to judge; nil if it brings
	// all that it needs.
	Library *Library
	// Helper is a program by which it judges; nil if it needs none.
	Helper *Helper
	// Environment is how it is told of the packages of a project, nil if it is not.
	Environment *Environment
	// Executes is what of a project it runs.
	Executes Executes
	// Optional says that nobody misses the server where it is not installed: its
	// files are data or prose, or another server judges them. A file that only
	// such servers know needs none to be judged after an edit.
	Optional bool
	// OptIn says that the server is for who names it in the configuration, and for
	// nobody else.
	OptIn bool
	// Disabled is set when the configuration switched the server off; DisabledBy says what did, "" for the settings of
	// the server itself.
	Disabled   bool
	DisabledBy string
	// Within are globs of the only files that the server is shown and told of, relative to the
	// workspace root, with slashes; nil means all that are its language's.
	Within []string
	// InitializationOptions is the JSON value sent with initialize; nil sends
	// none. The string "${folders}" in it stands for the list of the workspace folders.
	InitializationOptions json.RawMessage
	// Experimental is the JSON object of the experimental client capabilities; nil
	// announces none.
	Experimental json.RawMessage
	// Settings is the JSON object that answers workspace/configuration, by
	// section; nil answers null.
	Settings json.RawMessage
	// ReadBack is a request that returns the text that the server has of a file, for a server that reads a
	// changed file some time after it was told of the change. Empty: there is none, or it reads at once.
	ReadBack string
	// Loading are prefixes of the $/progress titles under which the server loads
	// the project, so that its answers are incomplete. Empty: every title that
	// speaks of loading, indexing and the like.
	Loading []string
	// AnnouncesLoading says that such a progress always begins soon after the
	// first document was opened, and that nothing is known of other files before.
	AnnouncesLoading bool
	// LoadsBy names the files, relative to the root, by one of which the server
	// finds the others of the project. Without one it knows only open files, and
	// loads nothing. Empty: it finds them by itself.
	LoadsBy []string
	// Elsewhere are such files, or globs, that it does not look for: it is told of them.
	Elsewhere []string
	// LoadedLog is a regular expression for the window/logMessage by which the
	// server says that it knows the files of the project; before, they are missing
	// in its answers. Empty: it says nothing of the kind.
	LoadedLog string
	// Readiness is how the server says that it has loaded the project, nil if it
	// does not. Before, nothing that it says of a file counts.
	Readiness *Readiness
	// Diagnostics says how the server lets us know that it is done.
	Diagnostics Diagnostics
	// Lines is where it takes a line to end; nil: nobody has measured it.
	Lines *Lines
	// Unable are the messages by which it says that it does not judge a file.
	Unable []Unable
	// Symptoms are the errors that tell of a project that is not set up, nil for none.
	Symptoms *Symptoms
	// Wording is how it says the same finding in more than one way; nil: always the same.
	Wording Wording
	// Install tells a person how to get it, one command per package manager.
	Install []string
	// Virtual are the documents that the server names and that are no files, such as the classes of a library.
	Virtual []Virtual
	// Quirks are named deviations, implemented in lsp/quirks.go.
	Quirks []Quirk
	// Tested says whether the real-server suite covers the entry.
	Tested Tested
}

// Virtual is a kind of documents that are no files, by the scheme of their URIs, and the request whose answer, a string, is the text
// of one. The string "${uri}" in Params stands for its URI.
type Virtual struct {
	Scheme, Method string
	Params         json.RawMessage
}

// A Language maps files to a language id of LSP.
type Language struct {
	// ID is the LSP language id, such as "typescriptreact".
	ID string
	// Patterns are extensions with their dot (".tsx"), file names
	// ("Dockerfile") or globs ("Dockerfile.*") on the base name. The longest
	// matching suffix or, for equals, the first wins.
	Patterns []string
}

// A Command is one way to start a server.
type Command struct {
	Binary string
	// Args may hold [StateFolder].
	Args []string
	// Package, if set, is a condition on the package the binary belongs to.
	Package *Package
}

// StateFolder stands in the arguments of a command for a folder of the server's
// own: the same for a root each time, outside of it, and of one process alone.
const StateFolder = "${state}"

// Role says what a server answers for.
type Role string

const (
	// Primary servers answer navigation and diagnostics.
	Primary Role = "primary"
	// DiagnosticsOnly servers (linters) never answer navigation.
	DiagnosticsOnly Role = "diagnosticsOnly"
)

// Sharing says how one process judges several roots.
type Sharing string

const (
	// OneRoot: it does not; each root has a process of its own. The default.
	OneRoot Sharing = ""
	// Discovers: it finds the project of each file below the workspace root by itself.
	Discovers Sharing = "discovers"
	// TakesFolders: each root is a workspace folder, of which it is told at its start or
	// later by workspace/didChangeWorkspaceFolders.
	TakesFolders Sharing = "folders"
	// Connected: it takes workspace folders well only at its start. Roots of which one
	// needs the other, directly or by way of others, have one process together.
	Connected Sharing = "connected"
)

// Tested says who has seen the entry work.
type Tested string

const (
	// CI means that the real-server suite covers the entry.
	CI Tested = "ci"
	// Listed means that the entry comes from documentation only.
	Listed Tested = "listed"
)

// LanguageID returns the language id for a file by its base name, and whether
// the server handles it. Matching is case-sensitive, as on Linux.
func (d *Definition) LanguageID(file string) (string, bool) {
	base := baseName(file)
	best, id := -1, ""
	for _, l := range d.Languages {
		for _, p := range l.Patterns {
			if n := matchLength(p, base); n > best {
				best, id = n, l.ID
			}
		}
	}
	return id, best >= 0
}

// matchLength says how specifically p matches base: -1 not at all, else the
// length of the suffix, or more than any suffix for a name or a glob.
func matchLength(p, base string) int {
	const named = 1 << 10
	// The last letter alone tells most apart.
	if p == "" || base == "" {
		return -1
	}
	if last := p[len(p)-1]; last != base[len(base)-1] && last != '*' && last != '?' && last != ']' {
		return -1
	}
	switch {
	case strings.ContainsAny(p, "*?["):
		if ok, err := path.Match(p, base); err == nil && ok {
			return named + len(p)
		}
	case strings.HasPrefix(p, "."):
		if strings.HasSuffix(base, p) && base != p {
			return len(p)
		}
	case p == base:
		return 2*named + len(p)
	}
	return -1
}

// Has reports whether the definition carries the quirk.
func (d *Definition) Has(q Quirk) bool { return slices.Contains(d.Quirks, q) }

// Concerns reports whether the server reads a file, given by a path or a name: one of its languages, a marker of its
// roots, or one of those that it reads besides.
func (d *Definition) Concerns(file string) bool {
	_, speaks := d.LanguageID(file)
	return speaks || slices.Contains(d.Roots, filepath.Base(file)) || slices.Contains(d.Reads, filepath.Ext(file))
}

// A Table is an ordered list of definitions with unique ids.
type Table []Definition

// Get returns a copy of the definition with the id.
func (t Table) Get(id string) (Definition, bool) {
	for i := range t { // a copy of each would take longer than all else
		if t[i].ID == id {
			return t[i], true
		}
	}
	return Definition{}, false
}

// IDs returns the ids in the table's order.
func (t Table) IDs() []string {
	ids := make([]string, len(t))
	for i := range t {
		ids[i] = t[i].ID
	}
	return ids
}
