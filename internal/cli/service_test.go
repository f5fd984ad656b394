package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/service"
)

// A hosted service is one that a test talks to as its host.
type hosted struct {
	t      *testing.T
	client *io.PipeWriter
	out    *io.PipeWriter
	heard  *textproto.Reader
	ended  chan outcomeOf
}

// host starts the service of a shop. bootstrap is what the host passes; ROOT is the shop's folder.
func (s *shop) host(bootstrap string) *hosted {
	s.t.Helper()
	in, client := io.Pipe()
	answers, out := io.Pipe()
	h := &hosted{s.t, client, out, textproto.NewReader(bufio.NewReader(answers)), make(chan outcomeOf, 1)}
	s.change = func(st *Streams) {
		st.In, st.Out = in, out
		st.Environ = append(st.Environ, service.BootstrapVariable+"="+strings.ReplaceAll(bootstrap, "ROOT", lsptest.InJSON(s.root)))
	}
	go func() {
		h.ended <- s.run("service")
		_ = out.Close()
	}()
	return h
}

// next returns the next message of the service, as JSON.
func (h *hosted) next() string {
	h.t.Helper()
	header, err := h.heard.ReadMIMEHeader()
	if err != nil {
		h.t.Fatalf("the service says nothing more: %v; %+v", err, <-h.ended)
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		h.t.Fatal(err)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(h.heard.R, text); err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

func (h *hosted) say(message string) {
	h.t.Helper()
	if _, err := fmt.Fprintf(h.client, "Content-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		h.t.Fatal(err)
	}
}

// What a host passes that cannot be used ends the service at once, with what is wrong with it, and
// the code that hosts know.
func TestServiceRefusesItsHost(t *testing.T) {
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	variable := ""
	s.change = func(st *Streams) {
		st.Environ = append(st.Environ, "LOG_LEVEL=error")
		if variable != "" {
			st.Environ = append(st.Environ, service.BootstrapVariable+"="+strings.ReplaceAll(variable, "ROOT", lsptest.InJSON(s.root)))
		}
	}
	refused := func(bootstrap, says string) {
		t.Helper()
		variable = bootstrap
		if diff := cmp.Diff(outcomeOf{1, "", says + "\n"}, s.run("service", "--stdio", "extra"), cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s: %s", bootstrap, diff)
		}
	}
	refused("", "LSP_BOOTSTRAP environment variable is required")
	refused(`{"workspaceRoot":"ROOT/a.toy"}`, "LSP_BOOTSTRAP.workspaceRoot must be a folder; ROOT/a.toy is none")
	refused(`{"workspaceRoot":"ROOT/nowhere"}`, "LSP_BOOTSTRAP.workspaceRoot must be a folder; ROOT/nowhere is none")
	refused(`{"workspaceRoot":"ROOT","config":{"maxRestarts":"many"}}`, "LSP_BOOTSTRAP.config.maxRestarts must be a whole number, not a string")
	s.change = func(st *Streams) {
		st.Environ = append(st.Environ, "LOG_LEVEL=loud", service.BootstrapVariable+`={"workspaceRoot":"`+lsptest.InJSON(s.root)+`"}`)
	}
	s.expect("LOG_LEVEL", s.run("service"), 1, "", `LOG_LEVEL: there is no level "loud"`)
	s.change = func(st *Streams) {
		st.Environ = append(st.Environ, service.BootstrapVariable+`={"workspaceRoot":"`+lsptest.InJSON(s.root)+`"}`)
	}
	s.expect("a server", s.run("service", "--server", "nope"), 1, "", `no server "nope" is known`)
}

// The service says that it is ready, checks files for its host, and ends with a clean exit when the
// host shuts it down, or is gone. Why there are no navigation tools is said, and what is wrong with
// the configuration does not keep it from its work.
func TestServiceServesItsHost(t *testing.T) {
	for _, c := range []struct{ name, config, project, says, finds string }{
		{"as it is", `{}`, "", "MCP channel disabled: there are no descriptors\n", "undefined: nothing"},
		{"without tools", `{"navigationTools":false}`, "", "MCP channel disabled: navigationTools is false\n", "undefined: nothing"},
		{"switched off", `false`, "", "MCP channel disabled: LSP is disabled by configuration\n", `"result":[]`},
		{"a mistake of the project", `{}`, `{"lsp":{"maxRestarts":"many"}}`, "lspine: configuration: ROOT/.lspine.jsonc:1:23: lsp.maxRestarts: must be a whole number, not a string\nMCP channel disabled: there are no descriptors\n", "undefined: nothing"},
		{
			"an untrusted server", `{}`, `{"lsp":{"servers":{"mine":{"command":"./evil","extensions":[".mine"]}}}}`,
			"lspine: configuration: ROOT/.lspine.jsonc:1: mine.command is not applied: ", "undefined: nothing",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, ends := range []string{"shutdown", "gone"} {
				s := newShop(t, "-- a.toy --\nuse nothing\n-- .lspine.jsonc --\n"+c.project+"\n", lsptest.Script{})
				h := s.host(`{"workspaceRoot":"ROOT","config":` + c.config + `}`)
				if got := h.next(); !strings.Contains(got, `"method":"lsp/ready"`) {
					t.Errorf("first it says %s", got)
				}
				h.say(`{"jsonrpc":"2.0","id":1,"method":"lsp/checkFile","params":{"filePath":"` + lsptest.InJSON(s.root) + `/a.toy"}}`)
				if got := h.next(); !strings.Contains(got, c.finds) {
					t.Errorf("found is %s", got)
				}
				if ends == "shutdown" {
					h.say(`{"jsonrpc":"2.0","id":2,"method":"lsp/shutdown"}`)
					if got := h.next(); !strings.Contains(got, `"id":2,"result":null`) {
						t.Errorf("the answer to shutdown is %s", got)
					}
				} else {
					_ = h.client.Close()
				}
				got := <-h.ended
				_ = h.client.Close()
				if got.code != exitClean || !strings.HasPrefix(got.stderr, c.says) {
					t.Errorf("%s: %+v, want %q", ends, got, c.says)
				}
			}
		})
	}
}

// For a host a crashed server is not restarted and no deadline is moved, unless the host itself
// says otherwise; what a person's or a project's configuration says does not count.
func TestDefaultsForHosts(t *testing.T) {
	root := lsptest.Workspace(t, "-- .lspine.jsonc --\n{\"lsp\": {\"maxRestarts\": 4, \"patienceLimit\": 90000}}\n")
	for host, want := range map[string][2]int64{
		``: {0, 0}, `{"maxRestarts":3}`: {3, 0}, `{"patienceLimit":70000}`: {0, 70000}, `{"maxRestarts":2,"patienceLimit":60000}`: {2, 60000},
	} {
		cfg, problems := config.Load(config.Options{Root: root, Environ: homeIn(t.TempDir()), Host: []byte(host)})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		asHost(cfg)
		if diff := cmp.Diff(want, [2]int64{int64(cfg.Settings.MaxRestarts), cfg.Settings.PatienceLimit.Milliseconds()}); diff != "" {
			t.Errorf("%s: %s", host, diff)
		}
	}
}

// A problem of the host's configuration is told in the host's terms, with what helps.
func TestProblemsOfAHost(t *testing.T) {
	for want, p := range map[string]config.Problem{
		"LSP_BOOTSTRAP.config.maxRestarts is too much":  {Key: "lsp.maxRestarts", Message: "is too much"},
		"LSP_BOOTSTRAP.config.a.b is odd (try another)": {Key: "lsp.a.b", Message: "is odd", Hint: "try another"},
		"LSP_BOOTSTRAP.config is odd":                   {Key: "lsp", Message: "is odd"},
	} {
		var refused *service.BootstrapError
		if err := hostProblem(p); !errors.As(err, &refused) || err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

// An ending is one end of a stream that says when it is closed.
type ending struct {
	bytes.Buffer
	err    error
	closed int
}

func (e *ending) Close() error {
	e.closed++
	return e.err
}

// Both ends of a stream are closed, also if the first cannot be; one that cannot be closed stays.
func TestBothStreamsAreClosed(t *testing.T) {
	odd, odder := errors.New("odd"), errors.New("odder")
	in, out := &ending{err: odd}, &ending{err: odder}
	if err := (stdio{in, out}).Close(); !errors.Is(err, odd) || !errors.Is(err, odder) || in.closed != 1 || out.closed != 1 {
		t.Errorf("%v; closed are %d and %d", err, in.closed, out.closed)
	}
	if err := (stdio{strings.NewReader(""), io.Discard}).Close(); err != nil {
		t.Error(err)
	}
}
