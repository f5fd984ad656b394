package symbols

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// noting notes which files but lib.go are opened.
type noting struct {
	*fake
	mu     sync.Mutex
	opened []string
}

func (n *noting) Open(ctx context.Context, path, method string) (Server, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if relative := n.Relative(path); relative != "lib.go" && !slices.Contains(n.opened, relative) {
		n.opened = append(n.opened, relative)
	}
	return n.fake.Open(ctx, path, method)
}

// What may use a symbol beyond its project is opened only if no use is known there, and the question
// then put again. What a name means there is asked where the server still knows no use; what nobody
// can say is told by text.
func TestUses(t *testing.T) {
	t.Parallel()
	type told struct {
		Uses, ByText []string
		Notes        []string
		Opened       []string
		Completeness result.Completeness
	}
	at := func(name string, line uint32) protocol.Location {
		position := protocol.Position{Line: line}
		return located(Place{here("/r/" + name), protocol.Range{Start: position, End: position}})[0]
	}
	app, test := Beyond{here("/r/app/a.go"), "app"}, Beyond{here("/r/a_test.go"), ""}
	for name, c := range map[string]struct {
		beyond  []Beyond
		within  []Beyond
		more    bool
		cold    []protocol.Location // references before anything is opened
		warm    []protocol.Location // and after
		meaning []protocol.Location
		want    told
	}{
		"nothing beyond": {cold: []protocol.Location{at("lib.go", 5)}, want: told{Uses: []string{"lib.go:5"}, Completeness: result.Complete}},
		"more than can be looked at": {
			more: true, cold: []protocol.Location{at("lib.go", 5)}, want: told{Uses: []string{"lib.go:5"}, Completeness: result.NotKnown},
		},
		"a use is known": {
			beyond: []Beyond{app}, cold: []protocol.Location{at("app/a.go", 1)}, want: told{Uses: []string{"app/a.go:1"}, Completeness: result.Complete},
		},
		"a project is opened": {
			beyond: []Beyond{app, {here("/r/app/b.go"), "app"}}, warm: []protocol.Location{at("app/a.go", 1)},
			want: told{Uses: []string{"app/a.go:1"}, Opened: []string{"app/a.go"}, Completeness: result.Complete},
		},
		"the name means something else": {
			beyond: []Beyond{app}, meaning: []protocol.Location{at("other.go", 7)}, want: told{Opened: []string{"app/a.go"}, Completeness: result.Complete},
		},
		"the server does not count what it understands": {
			beyond: []Beyond{app}, meaning: []protocol.Location{at("lib.go", 0)},
			want: told{Uses: []string{"app/a.go:1", "app/a.go:2"}, Opened: []string{"app/a.go"}, Completeness: result.Complete},
		},
		"the server knows what its project brings in": {
			cold: []protocol.Location{at("lib.go", 5)}, within: []Beyond{app}, meaning: []protocol.Location{at("other.go", 7)},
			want: told{Uses: []string{"lib.go:5"}, Opened: []string{"app/a.go"}, Completeness: result.Complete},
		},
		"the server knows another folder": {
			cold: []protocol.Location{at("app/b.go", 0)}, within: []Beyond{app}, want: told{Uses: []string{"app/b.go:0"}, Completeness: result.Complete},
		},
		"the server does not know what its project brings in": {
			cold: []protocol.Location{at("lib.go", 5)}, within: []Beyond{app},
			want: told{
				Uses: []string{"lib.go:5"}, ByText: []string{"app/a.go:1", "app/a.go:2"}, Opened: []string{"app/a.go"}, Completeness: result.OfLoaded,
				Notes: []string{"2 more by text, in files of which no server says what they use: app/a.go:2, app/a.go:3"},
			},
		},
		"more of the project than is asked about": {
			within: []Beyond{{here("/r/app/b.go"), "lib"}, {here("/r/app/b.go"), "lib"}, {here("/r/app/b.go"), "lib"}, app},
			want: told{
				ByText: []string{"app/b.go:0", "app/b.go:0", "app/b.go:0", "app/a.go:1", "app/a.go:2"}, Opened: []string{"app/b.go"}, Completeness: result.OfLoaded,
				Notes: []string{"3 more by text, in files of which no server says what they use: app/b.go:1, app/a.go:2, app/a.go:3"},
			},
		},
		"nobody says": {
			beyond: []Beyond{app, test},
			want: told{
				ByText: []string{"app/a.go:1", "app/a.go:2", "a_test.go:0"}, Opened: []string{"app/a.go", "a_test.go"}, Completeness: result.OfLoaded,
				Notes: []string{"3 more by text, in files of which no server says what they use: app/a.go:2, app/a.go:3, a_test.go:1"},
			},
		},
	} {
		f := newFake("lib.go", "func put() {}\n", "app/a.go", "// put\nput()\nput()\n", "app/b.go", "put()\n", "a_test.go", "put()\n")
		o := &noting{fake: f}
		f.beyond = func(_, _ string, within bool) ([]Beyond, bool) {
			if within {
				return c.within, true
			}
			return c.beyond, !c.more
		}
		f.locations = func(_, path string, _ protocol.Position) ([]protocol.Location, error) {
			if path == here("/r/lib.go") {
				return []protocol.Location{at("lib.go", 0)}, nil
			}
			return c.meaning, nil
		}
		f.references = func(context.Context, string, protocol.Position) ([]protocol.Location, error) {
			if len(o.opened) == 0 {
				return c.cold, nil
			}
			return c.warm, nil
		}
		q := New(o)
		uses, err := q.Uses(t.Context(), Target{Path: here("/r/lib.go"), At: protocol.Position{Character: 5}, Name: "put"}, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		places := func(list []Place) (at []string) {
			for _, p := range list {
				at = append(at, fmt.Sprintf("%s:%d", f.Relative(p.Path), p.Range.Start.Line))
			}
			return at
		}
		got := told{places(uses.Places), places(uses.ByText), q.Notes(), o.opened, q.Completeness()}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
