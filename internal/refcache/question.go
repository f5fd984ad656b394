package refcache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/refcache/store"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// An Answer says where a symbol is used.
type Answer struct {
	Target symbols.Target
	// Places are in the order in which they are shown.
	Places []symbols.Place
	// From says where the answer comes from, for people.
	From string
}

// A Question is one question of a caller, from when it is put to when its answer is kept. It is for one goroutine.
type Question struct {
	cache *Cache
	view  *overlay.View
	// text is what is asked, in a normal form.
	text        string
	declaration bool
	selector    api.Selector
	names       workspace.Names
	began       time.Time
	changes     uint64 // of texts that are not on disk, when it began
	asked       overlay.Asked
}

// asked is the normal form of a question. It names no folder of a machine, unless the caller did.
type asked struct {
	api.Selector
	Declaration bool `json:"declaration,omitempty"`
	// Base is the folder that names are relative to, itself relative to the root; Absolute says that paths are shown as
	// absolute ones, by which they are ordered then.
	Base     string `json:"base,omitempty"`
	Absolute bool   `json:"absolute,omitempty"`
}

// Ask begins a question of a caller who names files as names does. It returns nil if nothing is kept for it.
func (c *Cache) Ask(names workspace.Names, view *overlay.View, selector api.Selector, declaration bool) *Question {
	if c == nil {
		return nil
	}
	root := c.opts.Workspace.Root()
	base, err := filepath.Rel(root, names.Base())
	if err != nil {
		return nil
	}
	if namesLink(names, selector) {
		return nil
	}
	normal := asked{Selector: selector, Declaration: declaration, Base: filepath.ToSlash(base), Absolute: names.Relative(root) == root}
	if normal.Base == "." {
		normal.Base = ""
	}
	text, err := json.Marshal(normal)
	if err != nil { // it came from JSON
		return nil
	}
	q := &Question{cache: c, text: string(text), declaration: declaration, selector: selector, names: names, began: time.Now(), changes: view.Changes()}
	q.view = view.Noting(func(a overlay.Asked) {
		q.asked.Servers, q.asked.Names = append(q.asked.Servers, a.Servers...), append(q.asked.Names, a.Names...)
		q.asked.Failed = q.asked.Failed || a.Failed
	})
	return q
}

// namesLink reports whether a selector names a file by a path that a link is in: it may lead elsewhere tomorrow.
func namesLink(names workspace.Names, selector api.Selector) bool {
	return slices.ContainsFunc(append(beginnings(selector.At), selector.File), func(named string) bool {
		if named == "" {
			return false
		}
		path := filepath.FromSlash(named)
		if !filepath.IsAbs(path) {
			path = filepath.Join(names.Base(), path)
		}
		real, err := filepath.EvalSymlinks(path)
		return err == nil && real != filepath.Clean(path) // what is not there may be the name of a symbol
	})
}

// beginnings returns what may be the path at the beginning of a place, as in "my folder/a.go:3 name".
func beginnings(at string) (paths []string) {
	for i, r := range at {
		if r == ' ' || r == ':' {
			paths = append(paths, at[:i])
		}
	}
	return append(paths, at)
}

// View returns the view by which servers are to be asked, so that the question knows which were; that of the caller for a nil
// question.
func (q *Question) View(own *overlay.View) *overlay.View {
	if q == nil {
		return own
	}
	return q.view
}

// patience bounds how long it may take to find out whether an answer that was kept still counts.
const patience = 5 * time.Second

// Known returns the answer that was kept, nil if there is none that counts. That it cannot be read is logged.
func (q *Question) Known(ctx context.Context) *Answer {
	if q == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := q.known(ctx)
	if err != nil {
		slog.Debug("reference cache: " + err.Error())
		return nil
	}
	return answer
}

func (q *Question) known(ctx context.Context) (*Answer, error) {
	rows, err := q.cache.store.Find(ctx, q.text)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if same, err := q.view.OnDisk(ctx); err != nil || !same {
		return nil, err
	}
	found, err := q.cache.present(ctx)
	if err != nil {
		return nil, err
	}
	type kind struct {
		file     string
		searched bool
	}
	worlds := make(map[kind]world)
	for i := range rows {
		r := &rows[i]
		of := kind{r.File, r.Searched}
		if _, known := worlds[of]; !known {
			worlds[of] = q.cache.worldOf(found, r.File, r.Searched)
		}
		if now := worlds[of]; now.why != "" || now.digest != r.World || found.hashes[r.File] != r.Hash {
			continue
		}
		q.cache.apart(func(ctx context.Context) error { return q.cache.store.Used(ctx, r.Question, r.World) })
		return q.cache.answer(r), nil
	}
	return nil, nil
}

// answer returns the answer that a row holds.
func (c *Cache) answer(r *store.Row) *Answer {
	at := func(file string) string { return filepath.Join(c.opts.Workspace.Root(), filepath.FromSlash(file)) }
	a := &Answer{Target: symbols.Target{Path: at(r.File), At: protocol.Position{Line: r.Line, Character: r.Character}, Name: r.Symbol}}
	for _, l := range r.Locations {
		a.Places = append(a.Places, symbols.Place{Path: at(l.File), Range: protocol.Range{
			Start: protocol.Position{Line: l.Range[0], Character: l.Range[1]}, End: protocol.Position{Line: l.Range[2], Character: l.Range[3]},
		}})
	}
	whose := "the reference cache"
	if r.Imported {
		whose = "an imported reference cache"
	}
	a.From = fmt.Sprintf("from %s (nothing changed since %s, %s)", whose, r.Asked.UTC().Format("2006-01-02 15:04 UTC"), r.Server)
	return a
}

// Keep keeps an answer of servers, which must have all that there is and need no explanation. It does not wait for that. Nothing is kept
// if a text changed since the question was put, or if something decides the answer that is not known.
func (q *Question) Keep(a Answer) {
	if q == nil {
		return
	}
	q.cache.apart(func(ctx context.Context) error {
		row, why, err := q.row(ctx, a)
		if err != nil {
			return err
		}
		var rows []store.Row
		if why == "" {
			rows = append(rows, row)
		} else {
			slog.Debug("reference cache: an answer is not kept: " + why)
		}
		return q.cache.keep(ctx, rows)
	})
}

// row returns what is kept of an answer, or why nothing is.
func (q *Question) row(ctx context.Context, a Answer) (row store.Row, why string, err error) {
	c := q.cache
	if q.asked.Failed {
		return row, "not every server could be searched", nil
	}
	if same, err := q.view.OnDisk(ctx); err != nil || !same || q.view.Changes() != q.changes {
		return row, "servers see texts that are not on disk, or did", err
	}
	found, err := c.present(ctx)
	if err != nil {
		return row, "", err
	}
	if !found.settled.Before(q.began) {
		return row, "files changed meanwhile, or right before", nil
	}
	// Of what it was not told, a server that runs may not know.
	if !c.opts.Once && found.unheard {
		return row, "a server may not have noticed a change", nil
	}
	file, inside := c.relative(a.Target.Path)
	if !inside {
		return row, "the symbol is not in the workspace", nil
	}
	searched := len(q.asked.Names) > 0
	now := c.worldOf(found, file, searched)
	if now.why != "" {
		return row, now.why, nil
	}
	if why := q.others(ctx, found, file); why != "" {
		return row, why, nil
	}
	row = store.Row{
		Question: q.text, World: now.digest, File: file, Hash: found.hashes[file], Symbol: a.Target.Name,
		Line: a.Target.At.Line, Character: a.Target.At.Character, Declaration: q.declaration, Searched: searched,
		Server: now.server, Asked: q.began, Locations: []store.Location{},
	}
	for _, p := range a.Places {
		file, inside := c.relative(p.Path)
		if !inside || found.hashes[file] == "" {
			return row, "it is used outside of the workspace", nil
		}
		r := p.Range
		row.Locations = append(row.Locations, store.Location{File: file, Range: [4]uint32{r.Start.Line, r.Start.Character, r.End.Line, r.End.Character}})
	}
	return row, q.aside(found, &row), nil
}

// aside says which file that depends on more than what is digested may have a say in an answer although it is set aside, "" if none has.
func (q *Question) aside(found *scan, row *store.Row) string {
	for _, name := range found.aside {
		text, err := fspath.Read(filepath.Join(q.cache.opts.Workspace.Root(), filepath.FromSlash(name)))
		isOut := func(l store.Location) bool { return project.IsLeftOut(l.File) }
		if err != nil || symbols.Mentions(text, row.Symbol) || project.IsLeftOut(row.File) || slices.ContainsFunc(row.Locations, isOut) {
			return name + " depends on more than the files of the workspace, and may use it"
		}
	}
	return ""
}

// others says which other server than the one of a file has a say in the answer, "" if none has: one that was asked, or one in whose
// files a name stands that was searched for.
func (q *Question) others(ctx context.Context, found *scan, file string) string {
	primary, why := q.cache.answering(file)
	if why != "" {
		return why
	}
	for _, id := range q.asked.Servers {
		if id != primary.Definition.ID {
			return id + " was asked, too"
		}
	}
	if len(q.asked.Names) == 0 {
		return ""
	}
	var names []string
	for _, name := range q.asked.Names {
		names = append(names, strings.ToLower(name))
	}
	read := 0
	for other := range found.hashes {
		if !slices.ContainsFunc(q.cache.opts.Workspace.Searchers(other), func(id string) bool {
			return id != primary.Definition.ID && q.cache.opts.Workspace.IsThere(id)
		}) {
			continue
		}
		if read++; read > maxSearched {
			return "there are too many files of other servers"
		}
		text, err := fspath.Read(filepath.Join(q.cache.opts.Workspace.Root(), filepath.FromSlash(other)))
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err.Error()
		}
		lower := strings.ToLower(string(text))
		if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(lower, name) }) {
			return other + " has the name, too"
		}
	}
	return ""
}

// maxSearched bounds the files of other servers that are searched for a name.
const maxSearched = 5_000
