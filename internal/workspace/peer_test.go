package workspace

import (
	"context"
	"errors"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that somebody else runs is connected to. When it is gone that is said at once, and
// however often it is gone, it is connected to again as soon as it is back, with what it had
// open. It outlives us.
//
// Requirement: AGENT-5.
func TestPeers(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			if network == "unix" {
				lsptest.NeedSockets(t)
			}
			peer := lsptest.Listen(t, network)
			d, _ := registry.Builtin().Get("gopls")
			d.Connect = peer.Address
			var clock atomic.Int64 // in minutes
			start := time.Now()
			w := open(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n", Options{
				Servers: registry.Table{d}, Now: func() time.Time { return start.Add(time.Duration(clock.Load()) * time.Minute) },
			})
			c := only(t, w, "a.go")
			path := filepath.Join(w.Root(), "a.go")
			symbols := func(s *lsp.Server) (names []string) {
				t.Helper()
				list, err := s.Symbols(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				for _, symbol := range list {
					names = append(names, symbol.Name)
				}
				return names
			}

			s, err := w.Server(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Sync(path, []byte("package m\n\nvar Unsaved int\n")); err != nil {
				t.Fatal(err)
			}
			if got := symbols(s); !slices.Equal(got, []string{"Unsaved"}) {
				t.Errorf("it knows %v", got)
			}
			peer.End()
			<-s.Done()

			refused := func(starts int) {
				t.Helper()
				_, err := w.Server(t.Context(), c)
				var dial *lsp.DialError
				if !errors.As(err, &dial) || !strings.HasPrefix(err.Error(), "gopls: connect to "+peer.Address+": connect") || !strings.Contains(err.Error(), "refused") {
					t.Errorf("error %v", err)
				}
				if status := w.Statuses()[0]; status.State != roots.Stopped || status.Starts != starts || status.Reason != err.Error() {
					t.Errorf("status %+v", status)
				}
			}
			refused(2)
			refused(2) // nobody waits, and nobody asks again so soon
			clock.Add(1)
			refused(3)

			peer.Start()
			clock.Add(1)
			if s, err = w.Server(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if got := symbols(s); !slices.Equal(got, []string{"Unsaved"}) {
				t.Errorf("it was given back %v", got)
			}
			var kinds []EventKind
			events, _, _ := w.Events(t.Context(), 0)
			for _, e := range events {
				if e.Kind != Ready { // whether it comes to that before it ends
					kinds = append(kinds, e.Kind)
				}
			}
			if diff := cmp.Diff([]EventKind{Started, Crashed, Recovered}, kinds); diff != "" {
				t.Error(diff)
			}
			if !w.Stop(t.Context(), c.Key()) || !peer.Runs() {
				t.Errorf("it was ended with our connection")
			}
			if s, err = w.Server(t.Context(), c); err != nil || s.Info().Pid != 0 {
				t.Errorf("after the connection was closed: %v", err)
			}
			if err := w.Close(t.Context()); err != nil || !peer.Runs() {
				t.Errorf("it ended with us: %v", err)
			}
		})
	}
}

// clangd, which speaks over standard input alone, is a server like any other behind a port that passes it on.
//
// Requirement: AGENT-5.
func TestClangdAsAPeer(t *testing.T) {
	program := lsptest.Require(t, "clangd")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			cmd := exec.CommandContext(ctx, program, "--log=error")
			cmd.Stdin, cmd.Stdout = conn, conn
			_ = cmd.Run() // until the client leaves or the test ends
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		end()
		_ = listener.Close()
		<-ended
	})
	d, _ := registry.Builtin().Get("clangd")
	d.Connect = listener.Addr().String()
	w := open(t, "-- compile_flags.txt --\n-Wall\n-- a.c --\nint twice(int n) { return 2 * n; }\n", Options{Servers: registry.Table{d}})
	s, err := w.Server(t.Context(), only(t, w, "a.c"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.Root(), "a.c")
	if _, err := s.Sync(path, []byte("int twice(int n) { return 2 * n; }\n")); err != nil {
		t.Fatal(err)
	}
	list, err := s.Symbols(t.Context(), path)
	if err != nil || len(list) != 1 || list[0].Name != "twice" {
		t.Errorf("it knows %+v, %v", list, err)
	}
}
