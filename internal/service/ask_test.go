package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A ruled is a workspace of which several hosts have a service each, under rules of the policy.
type ruled struct {
	t      *testing.T
	root   string
	engine *engine.Engine
}

func openRuled(t *testing.T, rules string) *ruled {
	t.Helper()
	root := lsptest.Workspace(t, "-- toy.root --\n-- a.toy --\n")
	file := filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, file, rules)
	cfg, problems := config.Load(config.Options{Root: root, UserFile: file, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{lsptest.Script{}.Definition(t)}
	e, err := engine.New(engine.Options{Root: root, Config: cfg, State: t.TempDir(), StateFolder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return &ruled{t, root, e}
}

// An asker answers what a service asks of a host.
type asker func(ctx context.Context, q Question) (Reply, error)

// Serve implements [jsonrpc.Server].
func (a asker) Serve(ctx context.Context, _ *jsonrpc.Conn, method string, params json.RawMessage) (any, error) {
	var q Question
	if err := json.Unmarshal(params, &q); err != nil || method != "lspine/ask" {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return a(ctx, q)
}

// deaf hears no notifications.
type deaf struct{ requestsAlone }

// host returns a connection of a host, which says whether it asks.
func (r *ruled) host(asks bool, answer asker) *jsonrpc.Conn {
	r.t.Helper()
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- (&Host{Caller: r.engine, Root: r.root, Asks: asks}).Serve(context.Background(), io.ReadWriteCloser(theirs))
	}()
	c := jsonrpc.New(ours, deaf{}, jsonrpc.Options{Server: answer})
	r.t.Cleanup(func() {
		_ = c.Close()
		if err := <-served; err != nil {
			r.t.Error(err)
		}
	})
	return c
}

// makeFile asks for a new file, and returns how that ended.
func makeFile(ctx context.Context, c *jsonrpc.Conn, name string) string {
	_, err := c.Call(ctx, "lspine/edit", json.RawMessage(`{"edits":[{"file":"`+name+`","content":"def x\n"}]}`))
	var data struct{ Kind, Message string }
	var response *jsonrpc.ResponseError
	if errors.As(err, &response) {
		_ = json.Unmarshal(response.Data, &data)
	}
	switch {
	case err == nil:
		return "made"
	case data.Kind != "":
		return data.Kind
	}
	return "failed"
}

const (
	asksLong  = `{"lsp": {"askTimeout": 3600000, "policy": [{"match": {"operation": "edit", "client": "service"}, "action": "ask"}]}}`
	asksShort = `{"lsp": {"askTimeout": 150, "policy": [
		{"match": {"operation": "edit", "path": "open/**"}, "action": "ask", "fallback": "allow"},
		{"match": {"class": "edit"}, "action": "ask"}
	]}}`
)

// Of twenty requests at once that hosts are asked about, some end with the user's no, some with the end of their host, and
// some hang with a host that never answers: that blocks neither those nor requests that need no question, and what hangs ends
// when its host gives it up. Nothing is written for any.
func TestQuestionsBlockNobodyElse(t *testing.T) {
	r := openRuled(t, asksLong)
	asked := make(chan string, 20)
	silent := r.host(true, func(ctx context.Context, q Question) (Reply, error) {
		asked <- q.Method
		<-ctx.Done()
		return Reply{}, ctx.Err()
	})
	giveUp, cancel := context.WithCancel(t.Context())
	defer cancel()
	var hanging, others sync.WaitGroup
	for i := range 7 {
		hanging.Go(func() {
			if got := makeFile(giveUp, silent, fmt.Sprintf("silent%d.toy", i)); got == "made" {
				t.Errorf("a request that nobody answered for is %s", got)
			}
		})
	}
	for range 7 {
		if got := <-asked; got != "lspine/edit" {
			t.Errorf("asked about %s", got)
		}
	}
	refusing := r.host(true, func(context.Context, Question) (Reply, error) { return Reply{Said: "no"}, nil })
	for i := range 7 {
		others.Go(func() {
			if got := makeFile(t.Context(), refusing, fmt.Sprintf("refused%d.toy", i)); got != "denied" {
				t.Errorf("a request that the user refused is %s", got)
			}
		})
	}
	for i := range 6 {
		var dying *jsonrpc.Conn
		begun := make(chan struct{})
		dying = r.host(true, func(context.Context, Question) (Reply, error) {
			<-begun
			go func() { _ = dying.Close() }() // it waits for this handler
			return Reply{}, io.EOF
		})
		close(begun)
		others.Go(func() {
			if got := makeFile(t.Context(), dying, fmt.Sprintf("dying%d.toy", i)); got == "made" {
				t.Errorf("a request of a host that died is %s", got)
			}
		})
	}
	others.Wait()
	if _, err := silent.Call(t.Context(), "lsp/checkFile", json.RawMessage(`{"filePath":"a.toy"}`)); err != nil {
		t.Errorf("a request that needs no question, of the host that hangs: %v", err)
	}
	cancel()
	hanging.Wait()
	entries, err := os.ReadDir(r.root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".toy") && e.Name() != "a.toy" {
			t.Errorf("%s was written", e.Name())
		}
	}
}

// The user's word decides. After silence, an answer that is none, and for a host that cannot ask, the fallback of the rule
// does.
func TestWordsOfTheUser(t *testing.T) {
	r := openRuled(t, asksShort)
	said := func(word string) *jsonrpc.Conn {
		return r.host(true, func(context.Context, Question) (Reply, error) {
			var reply Reply
			return reply, json.Unmarshal([]byte(`{"said":"`+word+`"}`), &reply)
		})
	}
	silent := r.host(true, func(ctx context.Context, q Question) (Reply, error) {
		if q.TimeoutMS != 150 || q.ID == "" || q.Method != "lspine/edit" || !strings.Contains(string(q.Params), "silent.toy") || !strings.Contains(q.Text, "asks first") {
			t.Errorf("%+v", q)
		}
		<-ctx.Done()
		return Reply{Said: "yes"}, nil
	})
	mute := r.host(false, func(context.Context, Question) (Reply, error) {
		t.Error("a host that cannot ask is asked")
		return Reply{}, nil
	})
	got := make(map[string]string)
	for name, c := range map[string]*jsonrpc.Conn{"yes": said("yes"), "no": said("no"), "perhaps": said("perhaps"), "silent": silent, "mute": mute} {
		for _, folder := range []string{"open", "shut"} {
			got[name+" "+folder] = makeFile(t.Context(), c, folder+"/"+name+".toy")
		}
	}
	want := map[string]string{
		"yes open": "made", "yes shut": "made", "no open": "denied", "no shut": "denied", "perhaps open": "made", "perhaps shut": "denied",
		"silent open": "made", "silent shut": "denied", "mute open": "made", "mute shut": "denied",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
