package extension

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/registry"
)

var registered struct {
	mu        sync.Mutex
	factories map[string]func() Extension
}

// A spoken has the languages of the built-in servers: their ids, and those of files by their endings
// and names.
type spoken struct {
	ids     []string
	byFiles map[string]string
}

var languages = sync.OnceValue(func() spoken {
	all := spoken{byFiles: make(map[string]string)}
	for _, d := range registry.Builtin() {
		for _, l := range d.Languages {
			all.ids = append(all.ids, l.ID)
			for _, pattern := range l.Patterns {
				if _, known := all.byFiles[pattern]; !known {
					all.byFiles[pattern] = l.ID
				}
			}
		}
	}
	return all
})

// of returns the id of a file's language, "" if none is known.
func (s spoken) of(file string) string {
	if id, named := s.byFiles[filepath.Base(file)]; named {
		return id
	}
	return s.byFiles[filepath.Ext(file)]
}

var validName = lazyregexp.New(`^[a-z0-9][a-z0-9_-]*$`)

// Register adds the extension of a language, by the language id of LSP, such as "go"; its factory is
// called for each MCP server that is made. It is for init functions: it panics if the language has an
// extension, or is not known.
func Register(languageID string, factory func() Extension) {
	registered.mu.Lock()
	defer registered.mu.Unlock()
	if !slices.Contains(languages().ids, languageID) {
		panic(fmt.Sprintf("extension: no language has the id %q", languageID))
	}
	if _, twice := registered.factories[languageID]; twice || factory == nil {
		panic(fmt.Sprintf("extension: %q has one already, or its factory is nil", languageID))
	}
	if registered.factories == nil {
		registered.factories = make(map[string]func() Extension)
	}
	registered.factories[languageID] = factory
}

// A Set has extensions by the ids of their languages.
type Set map[string]Extension

// All makes the extensions that are registered. The error names what is wrong with one.
func All() (Set, error) {
	registered.mu.Lock()
	factories := maps.Clone(registered.factories)
	registered.mu.Unlock()
	set := make(Set)
	for id, factory := range factories {
		x := factory()
		if err := x.check(); err != nil {
			return nil, fmt.Errorf("extension of %s: %w", id, err)
		}
		set[id] = x
	}
	return set, nil
}

// check returns what is wrong with an extension.
func (x *Extension) check() error {
	var lists [4][]string
	for _, t := range x.Tools {
		lists[0] = append(lists[0], t.Name)
		if t.Run == nil || len(t.Input) > 0 && !strings.HasPrefix(strings.TrimSpace(string(t.Input)), "{") {
			return fmt.Errorf("tool %q has no Run, or an Input that is no JSON schema of an object", t.Name)
		}
	}
	for _, r := range x.Resources {
		if lists[1] = append(lists[1], r.Name); r.Read == nil {
			return fmt.Errorf("resource %q has no Read", r.Name)
		}
	}
	for _, s := range x.Subscriptions {
		if lists[2] = append(lists[2], s.Name); s.Watch == nil {
			return fmt.Errorf("subscription %q has no Watch", s.Name)
		}
	}
	for _, p := range x.Prompts {
		if lists[3] = append(lists[3], p.Name); p.Text == nil {
			return fmt.Errorf("prompt %q has no Text", p.Name)
		}
	}
	for _, names := range lists {
		slices.Sort(names)
		for i, name := range names {
			if !validName.MatchString(name) || i > 0 && names[i-1] == name {
				return fmt.Errorf("%q is no name, or is used twice", name)
			}
		}
	}
	return nil
}

// Languages returns the ids of the languages, sorted.
func (s Set) Languages() []string { return slices.Sorted(maps.Keys(s)) }

// Of returns the extension of a file's language; nil if there is none.
func (s Set) Of(file string) *Extension {
	if len(s) == 0 || file == "" {
		return nil
	}
	x, has := s[languages().of(file)]
	if !has {
		return nil
	}
	return &x
}

// Tool returns the tool with a name; nil if there is none. x may be nil.
func (x *Extension) Tool(name string) *Tool {
	if x == nil {
		return nil
	}
	for i := range x.Tools {
		if x.Tools[i].Name == name {
			return &x.Tools[i]
		}
	}
	return nil
}

// Resource returns the resource with a name; nil if there is none. x may be nil.
func (x *Extension) Resource(name string) *Resource {
	if x == nil {
		return nil
	}
	for i := range x.Resources {
		if x.Resources[i].Name == name {
			return &x.Resources[i]
		}
	}
	return nil
}

// Subscription returns the subscription with a name; nil if there is none. x may be nil.
func (x *Extension) Subscription(name string) *Subscription {
	if x == nil {
		return nil
	}
	for i := range x.Subscriptions {
		if x.Subscriptions[i].Name == name {
			return &x.Subscriptions[i]
		}
	}
	return nil
}
