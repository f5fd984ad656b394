package mcpserver

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// The roots of a client are asked for once, and once more if they changed while they were asked
// for: what it said then may be out of date.
func TestRootsThatChangeWhileTheyAreAskedFor(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	before, after := t.TempDir(), t.TempDir()
	//lint:ignore SA1019 what older clients do
	root := func(dir string) *mcp.Root { return &mcp.Root{URI: string(protocol.URIFromPath(dir))} }
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	var served *mcp.ServerSession
	asked := 0
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method != "roots/list" {
				return next(ctx, method, req)
			}
			if asked++; asked > 1 {
				//lint:ignore SA1019 what older clients do
				return &mcp.ListRootsResult{Roots: []*mcp.Root{root(after)}}, nil
			}
			d.server.rootsChanged(ctx, &mcp.RootsListChangedRequest{Session: served})
			//lint:ignore SA1019 what older clients do
			return &mcp.ListRootsResult{Roots: []*mcp.Root{root(before)}}, nil
		}
	})
	session, err := client.Connect(t.Context(), d.transport("memory"), &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	for served = range d.server.mcp.Sessions() {
		break
	}
	var got [][]string
	for range 3 {
		got = append(got, d.server.clientRoots(t.Context(), served))
	}
	if diff := cmp.Diff([][]string{{before}, {after}, {after}}, got); diff != "" || asked != 2 {
		t.Errorf("asked %d times (-want +got):\n%s", asked, diff)
	}
}

// Of the roots that a client names those count that are folders; a home counts for no workspace. A client that fails to
// name them has none, and is asked again; one of the newest revision is not asked.
func TestRootsThatAreNoFolders(t *testing.T) {
	home := t.TempDir()
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Homes, o.Root = []string{home}, "" })
	folder, started := t.TempDir(), d.server.opts.Dir
	uri := func(path string) string { return string(protocol.URIFromPath(path)) }
	for name, c := range map[string]struct {
		revision string
		roots    []string
		fails    bool
		want     []string
		allowed  []string
		asked    int
	}{
		"a folder among others": {"2025-06-18", []string{"http://here/x", uri(filepath.Join(d.root, "main.toy")), uri(filepath.Join(d.root, "gone")), uri(folder)}, false, []string{folder}, []string{folder}, 1},
		"a home":                {"2025-06-18", []string{uri(home)}, false, []string{home}, []string{started}, 1},
		"none":                  {"2025-06-18", nil, false, nil, []string{started}, 1},
		"a failure":             {"2025-06-18", nil, true, nil, []string{started}, 2},
		"the newest revision":   {newestEra, []string{uri(folder)}, false, nil, []string{started}, 0},
	} {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		asked := 0
		client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method != "roots/list" {
					return next(ctx, method, req)
				}
				if asked++; c.fails {
					return nil, errors.New("no roots")
				}
				//lint:ignore SA1019 what older clients do
				list := &mcp.ListRootsResult{}
				for _, root := range c.roots {
					//lint:ignore SA1019 what older clients do
					list.Roots = append(list.Roots, &mcp.Root{URI: root})
				}
				return list, nil
			}
		})
		session, err := client.Connect(t.Context(), d.transport("memory"), &mcp.ClientSessionOptions{ProtocolVersion: c.revision})
		if err != nil {
			t.Fatal(err)
		}
		var served *mcp.ServerSession
		for served = range d.server.mcp.Sessions() {
			break
		}
		got := d.server.clientRoots(t.Context(), served)
		//lint:ignore SA1019 what older clients do
		capabilities := &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}}
		g := d.server.ground(t.Context(), served, capabilities)
		if diff := cmp.Diff([][]string{c.want, c.allowed}, [][]string{got, g.allowed}); diff != "" || asked != c.asked || g.base != c.allowed[0] || g.home != g.base {
			t.Errorf("%s: asked %d times (-want +got):\n%s", name, asked, diff)
		}
		if plain := d.server.ground(t.Context(), served, nil); plain.base != started {
			t.Errorf("%s: a client without roots works in %s", name, plain.base)
		}
		d.server.session(served).choose(filepath.Join(started, "sub"))
		if chosen := d.server.ground(t.Context(), served, nil); chosen.base != filepath.Join(started, "sub") || !chosen.fixed || chosen.home != started {
			t.Errorf("%s: with a chosen folder: %+v", name, chosen)
		}
		d.server.session(served).choose(home)
		if chosen := d.server.ground(t.Context(), served, nil); chosen.base != started {
			t.Errorf("%s: with a folder that is not allowed any more: %+v", name, chosen)
		}
		_ = session.Close()
		lsptest.Eventually(t, 20*time.Second, func() bool {
			for range d.server.mcp.Sessions() {
				return false
			}
			return true
		}, "the session ends")
	}
}
