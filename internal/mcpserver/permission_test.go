package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/remote"
)

// far is one engine at the other end of a stream, as a daemon's is.
type far struct{ client *remote.Client }

// Engine implements Engines.
func (f far) Engine(context.Context, string) (api.Caller, error) { return f.client, nil }

// openRuledDesk opens a desk whose engine, at the other end of a stream, has the user's
// configuration. It returns where that stands.
func openRuledDesk(t *testing.T, user string, change ...func(*Options)) (d *desk, rules string) {
	t.Helper()
	root := lsptest.Workspace(t, project)
	rules = filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, rules, user)
	cfg, problems := config.Load(config.Options{Root: root, UserFile: rules, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{lsptest.Script{}.Definition(t)}
	e, err := engine.New(engine.Options{Root: root, Config: cfg, State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- remote.Serve(context.Background(), theirs, e, remote.Options{}) }()
	client := remote.NewClient(ours)
	t.Cleanup(func() {
		_ = client.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
		_ = e.Close(context.Background())
	})
	change = append(change, func(o *Options) { o.Engines, o.Root, o.Dir = far{client}, root, root })
	return openDesk(t, lsptest.Script{}, project, change...), rules
}

// make asks for a new file, and returns what came of it.
func makeFile(ctx context.Context, session *mcp.ClientSession, name string) (text string, err error) {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "edit", Arguments: map[string]any{
		"edits": []map[string]string{{"file": name, "content": "def x\n"}},
	}})
	if err != nil {
		return "", err
	}
	text = result.Content[0].(*mcp.TextContent).Text
	first, _, _ := strings.Cut(text, "\n")
	if result.IsError {
		return first, nil
	}
	return "made", nil
}

// Of twenty calls at once that the user is asked about some end with his no, some with the end of
// their client, and some hang with a client that never answers; who hangs blocks neither those nor
// calls that need no question, and ends when its client gives it up. Nothing is written for any.
func TestQuestionsBlockNobodyElse(t *testing.T) {
	for _, revision := range []string{"2025-06-18", newestEra} {
		t.Run(revision, func(t *testing.T) {
			d, rules := openRuledDesk(t, `{"lsp": {"askTimeout": 3600000, "policy": [{"match": {"operation": "edit"}, "action": "ask"}]}}`)
			const calls = 20
			asked := make(chan string, calls)
			elicited := func(name string, answer func(context.Context) (*mcp.ElicitResult, error)) *mcp.ClientOptions {
				return &mcp.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked <- name
					return answer(ctx)
				}}
			}
			giveUp, cancel := context.WithCancel(t.Context())
			defer cancel()
			silent := d.connect("memory", revision, elicited("silent", func(ctx context.Context) (*mcp.ElicitResult, error) {
				select {
				case <-ctx.Done():
				case <-giveUp.Done():
				}
				return nil, errors.New("too late")
			}))
			refusing := d.connect("memory", revision, elicited("refusing", func(context.Context) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "decline"}, nil
			}))
			var hanging, others sync.WaitGroup
			for i := range 7 {
				hanging.Go(func() {
					if text, err := makeFile(giveUp, silent, fmt.Sprintf("silent%d.toy", i)); err == nil && !strings.Contains(text, "denied") {
						t.Errorf("a call that was given up ends with %s", text)
					}
				})
			}
			for range 7 {
				<-asked
			}
			refusal := "edit is not allowed: the user was asked, and did not agree; the question is of rule 1 of your policy (" + rules + ":1)"
			for i := range 7 {
				others.Go(func() {
					text, err := makeFile(t.Context(), refusing, fmt.Sprintf("refused%d.toy", i))
					if diff := cmp.Diff(refusal, text); diff != "" || err != nil {
						t.Error(err, diff)
					}
				})
			}
			for i := range 6 {
				var dying *mcp.ClientSession
				dying = d.connect("memory", revision, elicited("dying", func(context.Context) (*mcp.ElicitResult, error) {
					go func() { _ = dying.Close() }() // it waits for this handler
					return nil, errors.New("dying")
				}))
				others.Go(func() {
					if text, err := makeFile(t.Context(), dying, fmt.Sprintf("dying%d.toy", i)); err == nil && !strings.Contains(text, "denied") {
						t.Errorf("the call of a client that died ends with %s", text)
					}
				})
			}
			if a := call(t, silent, "status", `{}`); a.IsError {
				t.Error(a.text)
			}
			others.Wait()
			cancel()
			hanging.Wait()
			made, err := filepath.Glob(filepath.Join(d.server.opts.Root, "*[0-9].toy"))
			if len(made) > 0 || err != nil {
				t.Errorf("written: %v, %v", made, err)
			}
		})
	}
}

// A call whose client never answers, or cannot ask, ends with what the rule falls back to.
func TestQuestionsFallBack(t *testing.T) {
	for _, fallback := range []api.Action{api.Allow, api.Deny} {
		d, rules := openRuledDesk(t, `{"lsp": {"askTimeout": 20, "policy": [{"match": {"class": "edit", "client": "mcp/test"}, "action": "ask", "fallback": "`+string(fallback)+`"}]}}`)
		want := "made"
		if fallback == api.Deny {
			want = "edit is denied: nobody could be asked, or nobody answered; the question is of rule 1 of your policy (" + rules + ":1)"
		}
		silent := &mcp.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		sessions := []*mcp.ClientSession{d.connect("memory", "2025-06-18", silent), d.connect("memory", "2025-06-18", nil), d.connect("memory", newestEra, nil)}
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				name := fmt.Sprintf("new%d.toy", i)
				text, err := makeFile(t.Context(), sessions[i%len(sessions)], name)
				if diff := cmp.Diff(want, text); diff != "" || err != nil {
					t.Errorf("%s: %v %s", fallback, err, diff)
				}
				if _, err := os.Stat(filepath.Join(d.server.opts.Root, name)); (err == nil) != (fallback == api.Allow) {
					t.Errorf("%s: %v", fallback, err)
				}
			})
		}
		all.Wait()
	}
}

// A call about which several rules ask is asked about by each, and made when the user has agreed
// to all.
func TestSeveralQuestionsAboutOneCall(t *testing.T) {
	for _, revision := range []string{"2025-06-18", newestEra} {
		d, rules := openRuledDesk(t, `{"lsp": {"policy": [
{"match": {"path": "secret.toy"}, "action": "ask", "reason": "secret"},
{"match": {"operation": "edit"}, "action": "ask", "reason": "edits"}]}}`)
		var asked []string
		session := d.connect("memory", revision, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			_, why, _ := strings.Cut(req.Params.Message, "\n")
			asked = append(asked, why)
			return &mcp.ElicitResult{Action: "accept"}, nil
		}})
		// A patch names its file where only the draft of the edit shows it.
		a := call(t, session, "edit", `{"edits":[{"patch":"--- /dev/null\n+++ b/secret.toy\n@@ -0,0 +1 @@\n+def x\n"}]}`)
		if a.IsError {
			t.Error(a.text)
		}
		want := []string{
			"rule 2 of your policy (" + rules + ":3) asks first: edits",
			"rule 1 of your policy (" + rules + ":2) asks first for secret.toy: secret",
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Errorf("%s: %s", revision, diff)
		}
	}
}
