package service

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
)

// A talk is one with the service, in frames of JSON.
type talk struct {
	t    *testing.T
	root string
	conn net.Conn
	in   *bufio.Reader
	log  *safeBuffer
	// served is closed when the service has ended.
	served chan struct{}
}

// safeBuffer is what several write to.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// openTalk starts a service over a toy workspace, with a scripted server for each script, and
// reads lsp/ready.
func openTalk(t *testing.T, archive string, change func(*config.Config, *Host), scripts ...lsptest.Script) *talk {
	t.Helper()
	root := lsptest.Workspace(t, "-- toy.root --\n"+archive)
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Settings.MaxRestarts, cfg.Settings.PatienceLimit = 0, 0
	cfg.Servers = nil
	for _, s := range scripts {
		cfg.Servers = append(cfg.Servers, s.Definition(t))
	}
	host := &Host{Root: root}
	if change != nil {
		change(cfg, host)
	}
	e, err := engine.New(engine.Options{Root: root, Config: cfg, State: t.TempDir(), StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	host.Caller = e
	host.End = func(ctx context.Context) { _ = e.Close(ctx) }
	return talkTo(t, root, host)
}

func talkTo(t *testing.T, root string, host *Host) *talk {
	t.Helper()
	ours, theirs := net.Pipe()
	k := &talk{t: t, root: root, conn: ours, in: bufio.NewReader(ours), log: &safeBuffer{}, served: make(chan struct{})}
	host.Log = slog.New(slog.NewTextHandler(k.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	go func() {
		defer close(k.served)
		if err := host.Serve(context.Background(), theirs); err != nil {
			t.Errorf("the service ended with %v", err)
		}
	}()
	t.Cleanup(func() {
		_ = ours.Close()
		<-k.served
	})
	if got, want := k.receive(), `{"jsonrpc":"2.0","method":"lsp/ready","params":{}}`; got != want {
		t.Fatalf("at first came %s, want %s", got, want)
	}
	return k
}

// send sends a message; ROOT in it is the workspace root.
func (k *talk) send(message string) {
	k.t.Helper()
	message = strings.ReplaceAll(message, "ROOT", lsptest.InJSON(k.root))
	if _, err := fmt.Fprintf(k.conn, "Content-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		k.t.Fatal(err)
	}
}

// namesOf finds the names of files below the root.
var namesOf = regexp.MustCompile(`ROOT[^"]*`)

// receive returns the next message, with ROOT for the workspace root, or "" at the end.
func (k *talk) receive() string {
	k.t.Helper()
	length := -1
	for {
		line, err := k.in.ReadString('\n')
		if err == io.EOF && line == "" {
			return ""
		}
		if err != nil {
			k.t.Fatal(err)
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(value); err != nil {
				k.t.Fatal(err)
			}
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(k.in, body); err != nil {
		k.t.Fatal(err)
	}
	text := strings.NewReplacer(lsptest.InJSON(k.root), "ROOT", `\u0026`, "&").Replace(string(body))
	return namesOf.ReplaceAllStringFunc(text, lsptest.Slashed)
}

// ask sends a request and returns its response without what all have.
func (k *talk) ask(method, params string) string {
	k.t.Helper()
	request := `{"jsonrpc":"2.0","id":1,"method":"` + method + `"`
	if params != "" {
		request += `,"params":` + params
	}
	k.send(request + "}")
	answer := k.receive()
	return strings.TrimSuffix(strings.TrimPrefix(answer, `{"jsonrpc":"2.0","id":1,`), "}")
}

// write writes a file of the workspace.
func (k *talk) write(name, text string) {
	k.t.Helper()
	lsptest.WriteFile(k.t, k.root+"/"+name, text)
}

// A caller answers as a test wants.
type caller func(ctx context.Context, name string, req, res any) error

func (c caller) Call(ctx context.Context, name string, req, res any) error {
	return c(ctx, name, req, res)
}

var _ api.Caller = caller(nil)

// member returns a member of a JSON object that a response has as its result.
func member[T any](t *testing.T, response, name string) T {
	t.Helper()
	var result struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	var value T
	if err := json.Unmarshal([]byte("{"+response+"}"), &result); err != nil {
		t.Fatalf("%s: %v", response, err)
	}
	if err := json.Unmarshal(result.Result[name], &value); err != nil {
		t.Fatalf("%s of %s: %v", name, response, err)
	}
	return value
}

// decoded returns the result of a response.
func decoded[T any](t *testing.T, response string) (value T) {
	t.Helper()
	var result struct {
		Result *T `json:"result"`
	}
	if err := json.Unmarshal([]byte("{"+response+"}"), &result); err != nil || result.Result == nil {
		t.Fatalf("%s: %v", response, err)
	}
	return *result.Result
}
