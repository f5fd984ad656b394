// Package roots finds which servers there are for the files of a workspace: to whose project a file belongs, which program judges it with
// which library, and what of that may run in a checkout that is not trusted. It starts no server.
package roots

import (
	"os"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// Options say where a Finder looks. Root and Servers are needed; the zero value of every other field means its default.
type Options struct {
	// Root is the folder of the workspace; absolute, links resolved.
	Root string
	// Servers are the known definitions.
	Servers registry.Table
	// Environ is the environment of servers, as KEY=value; os.Environ() by default. Secrets, and what HideEnv names, are taken out
	// of it unless PassEnv names them, and what git says about a command that runs us, see [child.Environ].
	Environ, PassEnv, HideEnv []string
	// StateFolder is below which servers keep what they need for a root, "lspine" in the user's cache folder by default.
	StateFolder string
	// Trusted says that programs and libraries of the workspace itself may run.
	Trusted bool
	// Installed has the programs that were installed for LSPine alone; nil has none.
	Installed Programs
	// LookPath is the search for programs: by default [exec.LookPath], in a checkout that is not trusted without what lies there.
	LookPath func(name string) (string, error)
	// Now is the clock.
	Now func() time.Time
	// Together returns the roots of a server that go together with one, sorted, itself among them; nil: none does.
	Together func(id, root string) []string
	// HasEnding reports whether the workspace has a file with an ending; nil: it has none.
	HasEnding func(ending string) bool
}

// A Finder finds the servers of the files of one workspace. It is safe for concurrent use.
type Finder struct {
	opts      Options
	foreign   *Foreign
	manifests manifests
	// index and markers are of opts.Servers.
	index   *registry.Index
	markers *markers
	env     []string
	undone  undone

	// mu guards what follows. Nothing else is taken while it is held.
	mu        sync.Mutex
	lookups   map[string]lookup    // of binaries, by server id
	libraries map[string]libraries // by package
	// programs are those that servers turned out to be, by the id of the server.
	programs map[string]registry.Definition
}

// New returns a finder for a workspace. It has looked at nothing yet.
func New(opts Options) *Finder {
	if opts.Environ == nil {
		opts.Environ = os.Environ()
	}
	opts.Environ = child.Environ(opts.Root, opts.Environ)
	if project.IgnoresGoWork(opts.Root, opts.Environ) {
		opts.Environ = append(slices.Clone(opts.Environ), "GOWORK=off")
	}
	foreign := ForeignIn(opts.Root, opts.Trusted)
	if !opts.Trusted {
		opts.Environ = foreign.without(opts.Environ)
	}
	if opts.LookPath == nil {
		opts.LookPath = foreign.LookPath
	}
	if opts.Installed == nil {
		opts.Installed = noPrograms{}
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Together == nil {
		opts.Together = func(_, root string) []string { return []string{root} }
	}
	if opts.HasEnding == nil {
		opts.HasEnding = func(string) bool { return false }
	}
	return &Finder{
		opts: opts, foreign: foreign, manifests: manifests{known: make(map[string]manifest)}, index: registry.NewIndex(opts.Servers), markers: newMarkers(opts.Servers),
		env: withoutSecrets(opts.Environ, opts.PassEnv, opts.HideEnv), lookups: make(map[string]lookup), libraries: make(map[string]libraries), programs: make(map[string]registry.Definition),
	}
}

// Options returns what the finder was made with, defaults filled in.
func (f *Finder) Options() Options { return f.opts }

// Environ returns the environment of servers: without secrets and, in a checkout that is not trusted, without what lies there. The caller
// must not change it.
func (f *Finder) Environ() []string { return f.env }

// Serving returns the definitions that may be asked about a file of this name, in the order of preference. The caller must not change them.
func (f *Finder) Serving(name string) []*registry.Definition { return f.index.Serving(name) }

// IsOfServers reports whether a server judges a file of this name, or reads it.
func (f *Finder) IsOfServers(name string) bool { return f.index.Matters(name) }

// Programs are programs that were installed for LSPine alone.
type Programs interface {
	// Find returns the path of a program, and the programs on PATH that it runs with; "" if
	// it is not there.
	Find(program string) (path string, runs []string)
	// Hold keeps a program from being removed until release is called. It may be any path.
	Hold(path string) (release func())
}

type noPrograms struct{}

func (noPrograms) Find(string) (string, []string) { return "", nil }

func (noPrograms) Hold(string) func() { return func() {} }

// libraries are the versions of a package beside the programs on PATH, or the package
// that one of these programs is part of.
type libraries struct {
	found []project.NPMPackage
	at    time.Time
}

// undone is what undoes the restraints of servers, by their id, as it was a moment ago: an operation that asks about many files looks
// once, and so do operations that come together.
type undone struct {
	mu    sync.Mutex // held while somebody looks, so that others wait for that
	found map[string]undoneAt
}

type undoneAt struct {
	file string
	at   time.Time
}

// A lookup is where a server's binary was found, or why it was not.
type lookup struct {
	path        string
	args        []string
	unavailable *UnavailableError
	at          time.Time
}
