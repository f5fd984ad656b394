package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// progressed is an observer that keeps what it hears of work under way.
type progressed struct {
	*recorder
	events []string
}

func (p *progressed) Progressed(e protocol.ProgressEvent) {
	p.events = append(p.events, e.Kind+" "+e.Token)
}

// The end of a part of a check is kept back as long as parts have not begun, and told with the next begin: before it
// if that is the same part anew, else after it. Other work is told as it comes.
func TestEndsOfACheckAreKeptBack(t *testing.T) {
	say := func(events string) (actions []lsptest.Action) {
		for event := range strings.SplitSeq(events, ", ") {
			kind, token, _ := strings.Cut(event, " ")
			title := "toy check " + token
			if token == "other" {
				title = "loading"
			}
			actions = append(actions, lsptest.Notify("$/progress", fmt.Sprintf(`{"token":%q,"value":{"kind":%q,"title":%q}}`, token, kind, title)))
		}
		return actions
	}
	for _, c := range []struct {
		parts             int
		said, again, want string
	}{
		{1, "begin a, end a, begin b, end b", "", "begin a, end a, begin b, end b"},
		{2, "begin a, begin b, end a, end b", "", "begin a, begin b, end a, end b"},
		{2, "begin a, end a, begin b, end b", "", "begin a, begin b, end a, end b"},
		{2, "begin a, end a, begin a, end a", "", "begin a, end a, begin a, end a"},
		{2, "begin a, end a, begin other, end other, begin b, end b", "", "begin a, begin other, end other, begin b, end a, end b"},
		{3, "begin a, begin b, end b, end a, begin c, end c", "", "begin a, begin b, end b, begin c, end a, end c"},
		{2, "begin a, end a", "begin b, end b, begin c, end c", "begin a, begin b, end a, begin c, end b, end c"},
		{2, "begin other, end other, end none", "", "begin other, end other, end none"},
	} {
		heard := &progressed{recorder: newRecorder()}
		p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
			lsptest.On("toy/status", lsptest.Reply(fmt.Sprintf(`"%d workspaces"`, c.parts))),
			lsptest.OnNth("toy/check", 1, say(c.said)...), lsptest.OnNth("toy/check", 2, say(c.again)...),
		}}, func(d *registry.Definition, o *lsp.Options) {
			o.Observer = heard
			d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/check", Params: raw(`{}`), Title: "toy check", Each: "toy/status", Number: `(\d+) workspaces`}
		})
		if err := p.ChangeFolders([]string{t.TempDir()}, nil); err != nil {
			t.Fatal(err)
		}
		for range min(2, 1+len(c.again)) {
			if _, err := p.BeginDiskCheck(p.context()); err != nil {
				t.Fatal(err)
			}
			p.alive()
		}
		if got := strings.Join(heard.events, ", "); got != c.want {
			t.Errorf("%d parts, said %s; %s\ngot  %s\nwant %s", c.parts, c.said, c.again, got, c.want)
		}
	}
}

// A check does not begin where it is not known how many parts it has, and the reason is told.
func TestCheckOfUnknownParts(t *testing.T) {
	for name, c := range map[string]struct {
		status lsptest.Action
		number string
		want   string
	}{
		"refused":       {lsptest.ReplyError(-32603, "it is busy", ""), `(\d+) workspaces`, "it is busy"},
		"no number":     {lsptest.Reply(`"none"`), `(\d+) workspaces`, "toy does not say how many projects it checks"},
		"a word":        {lsptest.Reply(`"many workspaces"`), `(\w+) workspaces`, `parsing "many"`},
		"a bad pattern": {lsptest.Reply(`"1 workspaces"`), `(`, "missing closing )"},
	} {
		p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{lsptest.On("toy/status", c.status)}}, func(d *registry.Definition, _ *lsp.Options) {
			d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/check", Params: raw(`{}`), Title: "toy check", Each: "toy/status", Number: c.number}
		})
		if err := p.ChangeFolders([]string{t.TempDir()}, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := p.BeginDiskCheck(p.context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		p.alive()
		if begun := p.entries("notification", "toy/check"); len(begun) > 0 {
			t.Errorf("%s: a check was begun", name)
		}
	}
}

// A server may also ask to say that it cannot judge a file, and is answered whatever it says of which file.
func TestRequestsAboutUnableFilesAreAnswered(t *testing.T) {
	file := lsptest.Rooted("/x/main.toy")
	var asked []lsptest.Action
	for _, params := range []string{`{"uri":7,"state":3}`, `{"uri":"untitled:x","state":3}`, `{"uri":"$","state":1}`, `{"uri":"$","state":3}`} {
		asked = append(asked, lsptest.Ask("toy/status", strings.ReplaceAll(params, "$", string(protocol.URIFromPath(file)))))
	}
	asked = append(asked, lsptest.Ask("toy/refresh", `{}`), lsptest.Ask("workspace/other", `{}`), lsptest.Ask("workspace/toy/refresh", `{}`))
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", asked...)}}, func(d *registry.Definition, _ *lsp.Options) {
		d.Unable = []registry.Unable{{Method: "toy/status", URI: "uri", Member: "state", Value: "3", Reason: "it failed"}}
	})
	p.sync("main.toy", "")
	want := []string{
		"toy/refresh error -32601", "toy/status null", "toy/status null", "toy/status null", "toy/status null",
		"workspace/other error -32601", "workspace/toy/refresh null",
	}
	if diff := cmp.Diff(want, results(p.await(len(want), "response", ""))); diff != "" {
		t.Error(diff)
	}
	p.alive()
	if got := p.Unable(file); got != "it failed" || p.Info().Dropped != 1 {
		t.Errorf("%q, and %d bad messages, want 1", got, p.Info().Dropped)
	}
}

// What a server says of its readiness in another form than it must have is counted, and changes nothing.
func TestBadWordsOfReadiness(t *testing.T) {
	steps := []struct {
		method, params, want string
	}{
		{"toy/status", `{"ready":true,"message":"Careful: no sdk\nat all\n\nsee the log"}`, `ready, 0 losses, trouble "no sdk\nat all", told`},
		{"toy/status", `7`, `ready, 0 losses, trouble "no sdk\nat all"`},
		{"toy/other", `{"ready":false}`, `ready, 0 losses, trouble "no sdk\nat all"`},
		{"toy/status", `{"ready":true}`, `ready, 0 losses, trouble "", told`},
		{"toy/status", `{"ready":false,"message":7}`, `not ready, 1 losses, trouble "", told`},
		{"toy/status", `{"ready":false,"message":"no sdk"}`, `not ready, 1 losses, trouble "no sdk", told`},
		{"toy/status", `{"ready":true,"message":"well"}`, `ready, 1 losses, trouble "", told`},
		{"toy/status", `{"message":"well"}`, `not ready, 2 losses, trouble "", told`},
	}
	var rules []lsptest.Rule
	for i, step := range steps {
		rules = append(rules, lsptest.OnNth("textDocument/foldingRange", i+1, lsptest.Notify(step.method, step.params)))
	}
	p := start(t, lsptest.Script{NoWatch: true, Rules: rules}, func(d *registry.Definition, _ *lsp.Options) {
		d.Readiness = &registry.Readiness{Method: "toy/status", Member: "ready", Value: "true", Trouble: "no sdk"}
	})
	for i, step := range steps {
		changed := p.WorksChanged()
		p.alive()
		got := "not ready"
		if p.Loaded() {
			got = "ready"
		}
		got += fmt.Sprintf(", %d losses, trouble %q", p.Losses(), p.Trouble())
		select {
		case <-changed:
			got += ", told"
		default:
		}
		if got != step.want {
			t.Errorf("step %d: %s\nwant %s", i+1, got, step.want)
		}
	}
	if dropped := p.Info().Dropped; dropped != 1 {
		t.Errorf("%d bad messages were counted, want 1", dropped)
	}
}

// A server whose readiness lasts is ready from then on, and its trouble stays until another is named.
func TestReadinessThatLasts(t *testing.T) {
	steps := []struct{ params, want string }{
		{`{"ready":false,"message":"no sdk here"}`, `false 0 "no sdk here"`},
		{`{"ready":true,"message":"well"}`, `true 0 "no sdk here"`},
		{`{"ready":false,"message":"no sdk there"}`, `true 0 "no sdk there"`},
		{`{"ready":true}`, `true 0 "no sdk there"`},
	}
	var rules []lsptest.Rule
	for i, step := range steps {
		rules = append(rules, lsptest.OnNth("textDocument/foldingRange", i+1, lsptest.Notify("toy/status", step.params)))
	}
	p := start(t, lsptest.Script{NoWatch: true, Rules: rules}, func(d *registry.Definition, _ *lsp.Options) {
		d.Readiness = &registry.Readiness{Method: "toy/status", Member: "ready", Value: "true", Trouble: "no sdk", Lasts: true}
	})
	for i, step := range steps {
		p.alive()
		if got := fmt.Sprintf("%t %d %q", p.Loaded(), p.Losses(), p.Trouble()); got != step.want {
			t.Errorf("step %d: %s, want %s", i+1, got, step.want)
		}
	}
}
