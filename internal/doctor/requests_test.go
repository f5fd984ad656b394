package doctor

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// toys are three servers of two languages, one of which somebody else runs.
var toys = registry.Table{
	{ID: "toy", Languages: []registry.Language{{ID: "toy"}, {ID: "play"}}},
	{ID: "far", Languages: []registry.Language{{ID: "toy"}, {ID: "toy"}}, Connect: "localhost:9", Tested: registry.CI},
	{ID: "other", Languages: []registry.Language{{ID: "other"}}},
}

// A request that names an action, a state, a server, a language or an address that there is not is refused by what it
// names, with what there is.
func TestRequestsForServers(t *testing.T) {
	v := configured(t, `{"lsp": {"servers": {"far": {"connect": "localhost:9", "extensions": [".toy"]}}}}`)
	v.opts.Config.Servers = toys
	const actions, states = "actions are list, detect, start, restart and stop", "states are found, missing and disabled"
	wrong := func(argument, reason, advice string) error {
		return &api.ArgumentError{Argument: argument, Reason: reason, Advice: advice}
	}
	withFile := wrong("file", "it goes with list only, as state does", `for example {"action":"list","file":"src/a.go"}`)
	stranger := func(address string) error {
		return wrong("connect", `"`+address+`" is no address that the user's own configuration names`, `the user names it there, for example {"lsp": {"servers": {"gopls": {"connect": "localhost:9999"}}}}`)
	}
	for _, c := range []struct {
		req  api.ServersRequest
		want error
	}{
		{api.ServersRequest{Action: "list"}, nil},
		{api.ServersRequest{Action: "list", File: "a.toy", State: "missing"}, nil},
		{api.ServersRequest{Action: "detect", Language: "PLAY"}, nil},
		{api.ServersRequest{Action: "restart", Server: "far"}, nil},
		{api.ServersRequest{Action: "stop"}, nil},
		{api.ServersRequest{Action: "start", Connect: "localhost:9"}, nil},
		{api.ServersRequest{}, wrong("action", `"" is no action`, actions)},
		{api.ServersRequest{Action: "kill"}, wrong("action", `"kill" is no action`, actions)},
		{api.ServersRequest{Action: "list", State: "gone"}, wrong("state", `"gone" is no state`, states)},
		{api.ServersRequest{Action: "start", File: "a.toy"}, withFile},
		{api.ServersRequest{Action: "detect", State: "found"}, withFile},
		{api.ServersRequest{Action: "stop", Connect: "localhost:9"}, wrong("connect", "it goes with start only", `for example {"action":"start","connect":"localhost:9999"}`)},
		{api.ServersRequest{Action: "start", Connect: "localhost:10"}, stranger("localhost:10")},
		{api.ServersRequest{Action: "start", Server: "gone"}, wrong("server", "no server gone is known", "known are toy, far, other")},
		{api.ServersRequest{Action: "start", Language: "gone"}, wrong("language", `no server knows "gone"`, `an LSP language id, for example "go"; status lists the servers`)},
	} {
		if diff := cmp.Diff(c.want, v.checkServers(c.req)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.req, diff)
		}
	}
}

// A request is about the servers that have its id, its address and its language, as far as it names them.
func TestWhichServersARequestConcerns(t *testing.T) {
	for _, c := range []struct {
		req  api.ServersRequest
		want []string
	}{
		{api.ServersRequest{}, []string{"toy", "far", "other"}},
		{api.ServersRequest{Server: "far"}, []string{"far"}},
		{api.ServersRequest{Connect: "localhost:9"}, []string{"far"}},
		{api.ServersRequest{Language: "Toy"}, []string{"toy", "far"}},
		{api.ServersRequest{Language: "toy", Server: "other"}, nil},
		{api.ServersRequest{Server: "toy", Connect: "localhost:9"}, nil},
	} {
		var got []string
		for i := range toys {
			if concerns(c.req, &toys[i]) {
				got = append(got, toys[i].ID)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.req, diff)
		}
	}
}

// A server of a list has its languages, each once, whether it is proven, and where it is; the command that can run
// here is the first to install it. Who runs it is somebody else where it has an address.
func TestServersOfAList(t *testing.T) {
	v := configured(t, "{}")
	if diff := cmp.Diff(result.ServerState{ID: "far", State: "found", Tested: "proven", Languages: []string{"toy"}}, v.stateFor(&toys[1])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(result.ServerState{ID: "toy", State: "found", Tested: "listed", Languages: []string{"toy", "play"}}, v.stateFor(&toys[0])); diff != "" {
		t.Error(diff)
	}
	sample := workspace.Sample{Candidate: roots.Candidate{Definition: toys[0], Root: "/r", Binary: "/bin/toy"}, Files: 7}
	far := workspace.Sample{Candidate: roots.Candidate{Definition: toys[1]}}
	want := []result.ServerState{{ID: "toy", Root: "/r", Files: 7, Binary: "/bin/toy", Languages: []string{"toy", "play"}}, {ID: "far", Binary: "localhost:9", Languages: []string{"toy", "toy"}}}
	if diff := cmp.Diff(want, []result.ServerState{stateOf(sample), stateOf(far)}); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ install, want []string }{
		{nil, nil},
		{[]string{"see a page"}, []string{"see a page"}},
		{[]string{"see a page", "get it", "lspine install toy"}, []string{"lspine install toy", "see a page", "get it"}},
		{[]string{"get it", "fetch it"}, []string{"get it", "fetch it"}},
	} {
		if diff := cmp.Diff(c.want, v.runnableFirst(c.install), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.install, diff)
		}
	}
	if diff := cmp.Diff([]string{"somebody else runs far at localhost:9: only the connection to it was closed"}, onlyLeft(&toys[1])); diff != "" || onlyLeft(&toys[0]) != nil {
		t.Error(diff)
	}
	for want, w := range map[string]lsp.Work{"Loading 40%": {Title: "Loading", Percentage: 40}, "Loading all 0%": {Title: "Loading", Message: "all"}, "all": {Message: "all", Percentage: -1}} {
		if got := describe(w); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What a project asked for and did not get can be allowed by trust, or be put into the user's own file, which is made
// if it is not there.
func TestWhatToDoAboutUntrustedSettings(t *testing.T) {
	v := configured(t, "{}")
	there, gone := v.opts.Config.Files[0].Path, filepath.Join(t.TempDir(), "sub", "config.jsonc")
	project := config.File{Layer: config.LayerProject, Path: "/p", Found: true}
	for name, c := range map[string]struct {
		u     config.Untrusted
		files []config.File
		want  result.Symptom
	}{
		"a server": {config.Untrusted{ID: "gopls", Field: "env", Value: "{}"}, []config.File{{Layer: config.LayerUser, Path: there, Found: true}, project}, result.Symptom{
			Next:    "lspine trust",
			Details: []string{"it shows all that the project wants to run, and allows it; or put into " + there + ":", `{"lsp": {"servers": {"gopls": {"env": {}}}}}`},
		}},
		"a setting": {config.Untrusted{Field: "passEnv", Value: "[]"}, []config.File{project, {Layer: config.LayerUser, Path: there, Found: true}}, result.Symptom{
			Next: openEditor(there, 0), Details: []string{"to have it all the same, put it into your own file:", `{"lsp": {"passEnv": []}}`},
		}},
		"a setting, no file": {config.Untrusted{Field: "passEnv", Value: "[]"}, []config.File{{Layer: config.LayerUser, Path: gone}}, result.Symptom{
			Next: setup.Here.Then(setup.Here.MakeFolder(filepath.Dir(gone)), openEditor(gone, 0)), Details: []string{"to have it all the same, put it into your own file:", `{"lsp": {"passEnv": []}}`},
		}},
		"no file of the user": {config.Untrusted{Field: "passEnv", Value: "[]"}, []config.File{project}, result.Symptom{}},
	} {
		v.opts.Config.Files = c.files
		c.want.Level, c.want.Step, c.want.Message = result.LevelNote, "configuration", c.u.String()
		if diff := cmp.Diff(c.want, v.untrusted(c.u)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A value is changed where it is configured: in a file at its line, or in the environment; else the configuration is
// shown.
func TestWhereAValueIsChanged(t *testing.T) {
	for _, c := range []struct {
		source config.Source
		want   string
	}{
		{config.Source{Layer: config.LayerUser, File: "/f", Line: 3}, openEditor("/f", 3)},
		{config.Source{Layer: config.LayerEnvironment, Name: "LSPINE_X"}, setup.Here.Unset("LSPINE_X")},
		{config.Source{Layer: config.LayerFlag, Name: "--x"}, "lspine config"},
		{config.Source{Layer: config.LayerBuiltin}, "lspine config"},
	} {
		if got := changing(c.source); got != c.want || got == "" {
			t.Errorf("%+v: %q, want %q", c.source, got, c.want)
		}
	}
	if got := openEditor("", 3); got != "" {
		t.Errorf("no file: %q", got)
	}
	v := configured(t, "{}")
	v.timeout = 1500 * time.Millisecond
	if got := []string{v.again("", 4), v.again(filepath.Join(v.opts.Workspace.Root(), "a.toy"), 2)}; !cmp.Equal(got, []string{"lspine doctor --timeout 6s", "lspine doctor a.toy --timeout 3s"}) {
		t.Errorf("%q", got)
	}
}

// Each file that no server judges is told of once, with the first command that may help, unless it could not be read
// or a server that can start judges it.
func TestFilesThatNobodyJudges(t *testing.T) {
	v := configured(t, "{}")
	root := v.opts.Workspace.Root()
	known := registry.Definition{ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}}
	missing, there := about(known), about(known)
	missing.Unavailable = &roots.UnavailableError{}
	nobody := func(name, next string) result.Symptom {
		return result.Symptom{Level: result.LevelProblem, Step: "file", Message: name + ": no server judges it; see below why", Next: next}
	}
	unknown := func(name, ending string) result.Symptom {
		return result.Symptom{
			Level: result.LevelProblem, Step: "file", Message: name + ": no server knows this kind of file", Next: "lspine servers",
			Details: []string{`a server of your own: {"lsp": {"servers": {"ID": {"command": "PROGRAM", "extensions": ["` + ending + `"]}}}}`},
		}
	}
	reports := []result.ServerReport{{ID: "other", Symptoms: []result.Symptom{{Next: "get other"}}}, {ID: "toy", Symptoms: []result.Symptom{{}, {Next: "get toy"}, {Next: "get another"}}}}
	for name, c := range map[string]struct {
		file     string
		subjects []subject
		unread   string
		reports  []result.ServerReport
		want     []result.Symptom
	}{
		"judged":            {"a.toy", []subject{missing, there}, "", reports, nil},
		"missing":           {"a.toy", []subject{missing}, "", reports, []result.Symptom{nobody("a.toy", "get toy")}},
		"nothing to do":     {"a.toy", []subject{missing}, "", reports[:1], []result.Symptom{nobody("a.toy", "lspine servers a.toy")}},
		"not read":          {"a.toy", nil, "a.toy", nil, nil},
		"another not read":  {"a.toy", []subject{missing}, "a.toy.old", nil, []result.Symptom{nobody("a.toy", "lspine servers a.toy")}},
		"unknown":           {"a.unheard", []subject{there}, "", nil, []result.Symptom{unknown("a.unheard", ".unheard")}},
		"without an ending": {"unheard", nil, "", nil, []result.Symptom{unknown("unheard", ".unheard")}},
	} {
		v.files, v.result = []string{filepath.Join(root, c.file)}, result.Doctor{Files: []string{c.file}, Servers: c.reports}
		v.unreadable = []string{filepath.Join(root, c.unread)}
		v.silences(c.subjects)
		if diff := cmp.Diff(c.want, v.result.Symptoms); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, id := range []string{"one", "two", "one"} {
		v.pass(roots.Examination{Candidate: roots.Candidate{Definition: registry.Definition{ID: id}}, Passed: "later"})
	}
	if diff := cmp.Diff([]result.PassedOver{{ID: "one", Reason: "others come before it"}, {ID: "two", Reason: "others come before it"}}, v.result.Passed); diff != "" {
		t.Error(diff)
	}
}

// A text of several lines is told by its first, with the others below; blank ones are left out.
func TestLinesOfAText(t *testing.T) {
	for text, want := range map[string]struct {
		First string
		Rest  []string
		All   []string
	}{
		"":               {},
		"one":            {First: "one", All: []string{"one"}},
		"one\n\n two \n": {First: "one", Rest: []string{"two"}, All: []string{"one", "two"}},
	} {
		got := want
		got.First, got.Rest, got.All = firstLine(text), linesAfterFirst(text), linesOf(text)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
