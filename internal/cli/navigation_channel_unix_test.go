//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/service"
)

// The navigation tools are served over the descriptors of the host, with the engine that the host's other channel has,
// until the host leaves; a host that leaves without a word is told of on standard error.
func TestNavigationToolsOfAHost(t *testing.T) {
	s := newShop(t, "-- a.toy --\nuse b\n-- b.toy --\ndef b\n", lsptest.Script{})
	var said bytes.Buffer
	run := func(channel *navigationChannel, converse func()) {
		t.Helper()
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		r := &serviceRun{global: &global{configFile: s.configFile}, leave: leave, streams: &Streams{
			Err: &said, Environ: []string{service.BootstrapVariable + `={"workspaceRoot":"` + lsptest.InJSON(s.root) + `"}`},
		}}
		settings, err := r.bootstrap()
		if err == nil {
			err = r.serveNavigation(ctx, channel, settings)
		}
		if err != nil {
			t.Fatal(err)
		}
		converse()
		r.navigation.Wait()
		if err := errors.Join(r.end(t.Context()), r.end(t.Context())); err != nil {
			t.Error(err)
		}
	}
	in, host := pipe(t)
	answers, out := pipe(t)
	run(&navigationChannel{in: in, out: out}, func() {
		lines, last := bufio.NewReader(answers), ""
		for _, line := range []string{hello, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"} {
			if _, err := host.WriteString(line); err != nil {
				t.Fatal(err)
			}
			var err error
			if last, err = lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		_ = host.Close()
		if !strings.Contains(last, `"tools":[{`) {
			t.Errorf("the tools are %s", last)
		}
	})
	if said.Len() > 0 {
		t.Errorf("said is %q", said.String())
	}
	first, firstHost := socketPair(t)
	second, secondHost := socketPair(t)
	silent := &navigationChannel{either: []*os.File{first, second}}
	defer silent.Close()
	run(silent, func() { _, _ = firstHost.Close(), secondHost.Close() })
	if want := "MCP channel disabled: the host left without a word\n"; said.String() != want {
		t.Errorf("said is %q, want %q", said.String(), want)
	}
}

// pipe returns both ends of a pipe, which are closed with the test.
func pipe(t *testing.T) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = read.Close(), write.Close() })
	return read, write
}
