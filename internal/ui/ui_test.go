package ui

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The page has every file that is served, and no others. It may load and ask nothing but its own server, be in no frame, and contains no
// script, no style and no address of another server itself.
//
// Requirement: HTTP-16.
func TestStaticPage(t *testing.T) {
	var there []string
	if err := fs.WalkDir(files, "page", func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			there = append(there, strings.TrimPrefix(path, "page/"))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(there) != len(types) {
		t.Errorf("there are %q", there)
	}
	for _, name := range there {
		path := "/ui/" + name
		if name == "index.html" {
			path = "/ui"
		}
		for _, path := range []string{path, "/w/shop" + path, "/w/%2Fsrv%2Fshop" + path} {
			page := Static(path)
			if page == nil {
				t.Errorf("%s is not served", path)
				continue
			}
			w := httptest.NewRecorder()
			page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			h := w.Header()
			if w.Code != http.StatusOK || h.Get("Content-Type") != types[name] || h.Get("Content-Security-Policy") != policy || h.Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("%s: %d %v", path, w.Code, h)
			}
			text := w.Body.String()
			for _, not := range []string{"https://", "<style", " style=", "onclick", "innerHTML", "insertAdjacentHTML", "outerHTML", "document.write", "eval("} {
				if strings.Contains(text, not) {
					t.Errorf("%s has %s", name, not)
				}
			}
		}
	}
	if want := "default-src 'none'"; !strings.HasPrefix(policy, want) || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
		t.Errorf("the policy is %s", policy)
	}
}

// What is served where, for the metrics and for who decides what is a stream.
func TestAddresses(t *testing.T) {
	type kind struct {
		Route          string
		Static, Stream bool
	}
	got := make(map[string]kind)
	want := map[string]kind{
		"/ui": {"/ui", true, false}, "/ui/page.js": {"/ui", true, false}, "/w/shop/ui": {"/w/{workspace}/ui", true, false}, "/w/a/ui/b/ui/style.css": {"/w/{workspace}/ui", true, false},
		"/ui/events": {"/ui/events", false, true}, "/w/shop/ui/events": {"/w/{workspace}/ui/events", false, true}, "/ui/verify": {"/ui/verify", false, false},
		"/": {}, "/ui/": {}, "/uiet": {}, "/ui/index.html": {}, "/ui/other.js": {}, "/ui/page.js/x": {}, "/w/shop/mcp": {}, "/w//ui": {}, "/ui/../ui.go": {},
	}
	for path := range want {
		got[path] = kind{Route(path), Static(path) != nil, IsStream(&http.Request{Method: http.MethodGet, URL: httptest.NewRequest(http.MethodGet, "/", nil).URL.JoinPath(path)})}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// An answering caller answers operations as a test says; what it does not know, it waits for.
type answering struct {
	mu    sync.Mutex
	calls []string
	do    map[string]func(ctx context.Context, req, res any) error
}

func (a *answering) Call(ctx context.Context, name string, req, res any) error {
	a.mu.Lock()
	a.calls = append(a.calls, name)
	a.mu.Unlock()
	if !api.CallOf(ctx).Own {
		return errors.New("the call is not the page's own")
	}
	if do := a.do[name]; do != nil {
		return do(ctx, req, res)
	}
	<-ctx.Done()
	return ctx.Err()
}

// events opens a stream of a view, and returns its events as they are: the first n, fewer if the stream ends, or up to one that a test
// waits for.
func events(t *testing.T, v *View, n int, last ...func(event string) bool) (list []string) {
	t.Helper()
	ended := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		v.Serve(w, r)
	}))
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/ui/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("the type is %q", got)
	}
	lines := bufio.NewScanner(answer.Body)
	for found := false; !found && len(list) < n && lines.Scan(); {
		event, is := strings.CutPrefix(lines.Text(), "event: ")
		if is && lines.Scan() {
			list = append(list, event+" "+strings.TrimPrefix(lines.Text(), "data: "))
			found = len(last) > 0 && last[0](list[len(list)-1])
		}
	}
	leave()
	_ = answer.Body.Close()
	<-ended // nothing of the stream is left when its page has gone
	return list
}

func answered[Res any](value Res) func(context.Context, any, any) error {
	return func(_ context.Context, _, res any) error {
		*res.(*Res) = value
		return nil
	}
}

// A part of the page that its visitor may not see says so, and the others are shown all the same. Nothing is asked for but as the page's
// own call.
func TestWhatMayNotBeSeen(t *testing.T) {
	denied := func(context.Context, any, any) error {
		return &result.Error{Kind: result.Denied, Message: "sessions is denied", Hint: "ask who runs it"}
	}
	caller := &answering{do: map[string]func(context.Context, any, any) error{
		"status": answered(result.Status{Root: "/srv/shop"}), "sessions": denied,
		"diagnostics": func(ctx context.Context, req, res any) error {
			if req.(api.DiagnosticsRequest).AfterEpoch > 0 {
				<-ctx.Done()
				return ctx.Err()
			}
			*res.(*result.Check) = result.Check{Verdict: "new_errors", Epoch: 3, Files: []result.File{{Path: "a.toy", Diagnostics: []result.Diagnostic{{Severity: "error", Message: "bad\u202e"}}}, {Path: "fine.toy"}}}
			return nil
		},
	}}
	got := make(map[string]string)
	for _, event := range events(t, &View{Caller: caller, Version: "1", Untold: "it is of others"}, 4) {
		name, data, _ := strings.Cut(event, " ")
		got[name] = data
	}
	want := map[string]string{
		"hello":       `{"version":"1","root":"/srv/shop","untold":"it is of others"}`,
		"servers":     `{"root":"/srv/shop","servers":null}`,
		"trouble":     `{"part":"sessions","message":"sessions is denied","hint":"ask who runs it"}`,
		"diagnostics": `{"all":true,"files":[{"path":"a.toy","diagnostics":[{"line":0,"column":0,"end_line":0,"end_column":0,"severity":"error","message":"bad\u202e","server":"","new":false}]}],"verdict":"new_errors"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Whoever may not see the evidence cannot have it checked either. An engine that is gone is an error, and no empty page.
func TestRefusals(t *testing.T) {
	ask := func(v *View, method, path string) string {
		w := httptest.NewRecorder()
		v.Serve(w, httptest.NewRequest(method, path, nil))
		return strings.TrimSpace(http.StatusText(w.Code) + " " + w.Body.String())
	}
	gone := &answering{do: map[string]func(context.Context, any, any) error{"status": func(context.Context, any, any) error { return errors.New("the engine is closed") }}}
	got := []string{
		ask(&View{Untold: "it is of others"}, http.MethodPost, "/ui/verify"), ask(&View{}, http.MethodGet, "/ui/verify"), ask(&View{Caller: gone}, http.MethodGet, "/w/shop/ui/events"),
	}
	if diff := cmp.Diff([]string{`Forbidden {"error":"it is of others"}`, `Not Found {"error":"the page has nothing there"}`, `Bad Gateway {"error":"the engine is closed"}`}, got); diff != "" {
		t.Error(diff)
	}
}

// Only what changed of the diagnostics is told: files with other ones, and those that have none any more.
func TestChanges(t *testing.T) {
	file := func(path string, messages ...string) result.File {
		f := result.File{Path: path, Verdict: "new_errors"}
		for _, m := range messages {
			f.Diagnostics = append(f.Diagnostics, result.Diagnostic{Message: m})
		}
		return f
	}
	told := make(map[string]string)
	for _, step := range []struct {
		known []result.File
		want  change
	}{
		{[]result.File{file("a", "x"), file("b", "y"), file("fine")}, change{Files: []result.File{file("a", "x"), file("b", "y")}}},
		{[]result.File{file("a", "x"), file("b", "y", "z")}, change{Files: []result.File{file("b", "y", "z")}}},
		{[]result.File{file("a"), file("b", "y", "z")}, change{Gone: []string{"a"}}},
		{[]result.File{file("b", "y", "z")}, change{}},
	} {
		got, err := changed(told, &result.Check{Files: step.known})
		if diff := cmp.Diff(step.want, got); diff != "" || err != nil {
			t.Errorf("%v: %s", err, diff)
		}
	}
}

// The evidence is read when it grows, and checked once; a page that begins anew begins with the newest records.
func TestTrail(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	trail := &growing{lists: [][]Record{{{Seq: 6, Time: at, Event: "tool_call", Client: "cli", Text: "check"}}, {{Seq: 7, Time: at, Event: "edit_applied", Text: "a.go"}}}}
	caller := &answering{do: map[string]func(context.Context, any, any) error{"status": answered(result.Status{})}}
	var got []string
	for _, event := range events(t, &View{Caller: caller, Trail: trail}, 5) {
		if !strings.HasPrefix(event, "servers ") {
			got = append(got, event)
		}
	}
	want := []string{
		`hello {"version":"","root":""}`,
		`evidence {"records":[{"seq":6,"time":"2026-01-02T03:04:05Z","event":"tool_call","client":"cli","text":"check"}]}`,
		`verified {"records":7,"last":7,"checked":"0001-01-01T00:00:00Z"}`,
		`evidence {"records":[{"seq":7,"time":"2026-01-02T03:04:05Z","event":"edit_applied","text":"a.go"}]}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint64{0, 6}, trail.after); diff != "" {
		t.Error(diff)
	}
}

// A growing trail has one list of records after the other.
type growing struct {
	lists [][]Record
	after []uint64
}

func (g *growing) Last(after uint64, _ int) (list []Record, err error) {
	g.after = append(g.after, after)
	if len(g.lists) > 0 {
		list, g.lists = g.lists[0], g.lists[1:]
	}
	return list, nil
}

func (g *growing) Listen(ctx context.Context, grown func()) error {
	grown()
	<-ctx.Done()
	return ctx.Err()
}

func (g *growing) Verify(limit int64) (Verification, error) {
	if limit != maxVerified {
		return Verification{}, errors.New("a log of any length is checked unasked")
	}
	return Verification{Records: 7, Last: 7}, nil
}
