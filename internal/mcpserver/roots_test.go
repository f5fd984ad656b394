package mcpserver

import (
	"context"
	"testing"

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
