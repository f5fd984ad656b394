package refcache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"golang.org/x/mod/semver"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure a cache.
type Options struct {
	Workspace *workspace.Workspace
	// Servers are the known definitions.
	Servers registry.Table
	// Folder is where lspine keeps what can be made again, absolute.
	Folder string
	// Version is the version of this program: another one may understand questions in another way.
	Version string
	// Once says that the process runs one operation only.
	Once bool
	// NoIndexes says that imported indexes answer nothing; AlwaysIndexes, that they answer also while the server runs that would.
	NoIndexes, AlwaysIndexes bool
}

// A Cache is what is kept of one workspace. A nil *Cache has no answers and keeps none. It is safe for concurrent use. Whoever
// made it closes it.
type Cache struct {
	opts  Options
	store *store.Store
	// background is the context of what nobody waits for; it ends with Close.
	background context.Context
	cancel     context.CancelFunc

	mu     sync.Mutex
	closed bool
	// waiting counts what is to be done apart; idle is closed when it is 0 again, nil if nobody waits for that.
	waiting int
	idle    chan struct{}

	// turn is held by the one who scans. It is a channel so that waiting ends with a context.
	turn chan struct{}
	// Guarded by turn: the scanner; the last scan, nil if there is none, and the mark of the workspace and the files that git
	// knows before it.
	scanner scanner
	last    *scan
	mark    uint64
	sources []string
}

// New returns the cache of a workspace, nil if there can be none: the cache folder lies in the workspace. Nothing is read or written before the first question.
func New(o Options) *Cache {
	root := o.Workspace.Root()
	if o.Folder == "" || fspath.Below(root, o.Folder) {
		return nil
	}
	var servers []*registry.Definition
	for i := range o.Servers {
		if d := &o.Servers[i]; d.World != registry.UnknownWorld && !d.Disabled {
			servers = append(servers, d)
		}
	}
	o.Version = build(o.Version)
	c := &Cache{opts: o, turn: make(chan struct{}, 1)}
	c.store = store.New(Path(o.Folder, root), func(text string) { slog.Debug("reference cache: " + text) })
	c.scanner = scanner{workspace: o.Workspace, servers: servers, now: time.Now}
	c.background, c.cancel = context.WithCancel(context.Background())
	return c
}

// build identifies a build of this program: developers have many of one version.
func build(version string) string {
	if semver.IsValid("v" + strings.TrimPrefix(version, "v")) {
		return version
	}
	if self, err := os.Executable(); err == nil {
		if info, err := os.Stat(self); err == nil {
			version += fmt.Sprintf("@%x-%x", info.Size(), info.ModTime().UnixNano())
		}
	}
	return version
}

// Path returns the file in which the answers of a workspace are kept, by the folder for what can be made again and the root.
func Path(folder, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(folder, hex.EncodeToString(sum[:8]), "refs.db")
}

// closeGrace bounds how long Close waits for what is being kept.
const closeGrace = 2 * time.Second

// Close waits a while for answers that are being kept, until ctx ends at the latest, and closes the database.
func (c *Cache) Close(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	soon, cancel := context.WithTimeout(ctx, closeGrace)
	defer cancel()
	_ = c.Settle(soon) // what is not kept by then is asked again
	c.cancel()
	_ = c.Settle(context.WithoutCancel(ctx)) // it ends now
	return c.store.Close()
}

// Settle waits until everything is kept that was to be kept when it was called, or until ctx ends.
func (c *Cache) Settle(ctx context.Context) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	if c.waiting == 0 {
		c.mu.Unlock()
		return nil
	}
	if c.idle == nil {
		c.idle = make(chan struct{})
	}
	idle := c.idle
	c.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// maxWaiting bounds the answers that are to be kept at a time; more are not kept.
const maxWaiting = 32

// apart does something that nobody waits for but Close, unless there is too much of that. It logs how it fails.
func (c *Cache) apart(do func(ctx context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.waiting >= maxWaiting {
		return
	}
	c.waiting++
	go func() { // Close waits for it
		if err := guard.Do(func() error { return do(c.background) }); err != nil {
			slog.Debug("reference cache: nothing is kept: " + err.Error())
		}
		c.done()
	}()
}

// done notes that one thing is done that was to be done apart.
func (c *Cache) done() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting--; c.waiting == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// take waits for the turn to scan. The caller calls leave.
func (c *Cache) take(ctx context.Context) (leave func(), err error) {
	select {
	case c.turn <- struct{}{}:
		return func() { <-c.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// present returns what the files of the workspace say now. The last scan counts as long as the workspace, which has just been
// looked at, knows that nothing has changed since. The caller must not change it.
func (c *Cache) present(ctx context.Context) (*scan, error) {
	leave, err := c.take(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	mark, sources := uint64(0), []string(nil)
	if !c.opts.Once {
		touched, now, known := c.opts.Workspace.Touched(c.mark)
		if now != 0 { // else this would be as expensive as a scan
			if sources, err = c.opts.Workspace.Sources(ctx); err != nil {
				return nil, err
			}
		}
		if known && len(touched) == 0 && c.last != nil && !c.last.unheard && isSame(sources, c.sources) {
			return c.last, nil
		}
		mark = now
	}
	if c.scanner.known == nil {
		if c.scanner.known, err = c.store.Files(ctx); err != nil {
			slog.Debug("reference cache: " + err.Error()) // then all files are read
		}
	}
	c.last, c.mark = nil, 0
	found, err := c.scanner.scan(ctx)
	if len(c.scanner.fresh)+len(c.scanner.gone) > 0 { // also if it ended early: the next scan comes further
		c.apart(func(ctx context.Context) error { return c.keep(ctx, nil) })
	}
	if err != nil {
		return nil, err
	}
	if mark != 0 {
		c.last, c.mark, c.sources = found, mark, sources
	}
	return found, nil
}

// Hashes returns the SHA-256 of the files that matter to servers, in hexadecimal digits, by their paths relative to the root, with slashes.
// The caller must not change it.
func (c *Cache) Hashes(ctx context.Context) (map[string]string, error) {
	if c == nil {
		return nil, &OffError{}
	}
	found, err := c.present(ctx)
	if err != nil {
		return nil, err
	}
	return found.hashes, nil
}

// isSame reports whether two lists are the same one: the workspace returns it again as long as no file came or went, and git leaves out
// the same.
func isSame(one, other []string) bool {
	return len(one) == len(other) && (len(one) == 0 || &one[0] == &other[0])
}

// keep keeps answers, and what was found out about files.
func (c *Cache) keep(ctx context.Context, answers []store.Row) error {
	files, gone, err := c.unsaved(ctx)
	if err != nil || len(answers)+len(files)+len(gone) == 0 {
		return err
	}
	if err := c.settleIn(); err != nil {
		return err
	}
	return c.store.Keep(ctx, answers, files, gone)
}

// unsaved returns what was found out about files and is not kept yet.
func (c *Cache) unsaved(ctx context.Context) (files map[string]store.Stat, gone []string, err error) {
	leave, err := c.take(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	files, gone = c.scanner.unsaved()
	return files, gone, nil
}

// A world is all that decides an answer.
type world struct {
	// digest identifies it.
	digest string
	// server is the name and version of the server that answers.
	server string
	// why is not "" if it is not known, and says the reason.
	why string
}

// worldOf returns the world of an answer about a symbol in a file, at a path relative to the root. Of one that was searched for in the
// whole workspace, every file that any server handles may decide which symbol is meant.
func (c *Cache) worldOf(found *scan, file string, searched bool) world {
	if found.special != "" {
		return world{why: found.special + " depends on more than the files of the workspace"}
	}
	primary, why := c.answering(file)
	if why != "" {
		return world{why: why}
	}
	inputs := c.opts.Workspace.Inputs(primary, found.manifests)
	if inputs.Why != "" {
		return world{why: inputs.Why}
	}
	texts, others := found.code, []string(nil)
	if searched {
		texts, others = found.all, c.searchers(found)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%d %q %t %q %q %q\n", store.Version, c.opts.Version, searched, texts, others, inputs.Server)
	for _, input := range inputs.Digested {
		fmt.Fprintf(sum, "%q\n", input)
	}
	return world{digest: hex.EncodeToString(sum.Sum(nil)), server: inputs.Server}
}

// searchers returns the servers that a name may be searched in, each with whether it is there.
func (c *Cache) searchers(found *scan) (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(found.searchers)) {
		ids = append(ids, fmt.Sprint(id, c.opts.Workspace.IsThere(id)))
	}
	return ids
}

// answering returns the one server that answers questions about a file, at a path relative to the root.
func (c *Cache) answering(file string) (primary *roots.Candidate, why string) {
	candidates := c.opts.Workspace.Candidates(filepath.Join(c.opts.Workspace.Root(), filepath.FromSlash(file)))
	for i := range candidates {
		switch {
		case candidates[i].Definition.Role != registry.Primary:
		case primary != nil:
			return nil, "several servers answer"
		default:
			primary = &candidates[i]
		}
	}
	if primary == nil {
		return nil, "no server answers"
	}
	return primary, ""
}

// relative returns a path relative to the root, with slashes, false if it is not below the root.
func (c *Cache) relative(path string) (string, bool) {
	rest, below := strings.CutPrefix(path, c.opts.Workspace.Root()+string(filepath.Separator))
	name := filepath.ToSlash(rest)
	return name, below && store.Inside(name)
}
