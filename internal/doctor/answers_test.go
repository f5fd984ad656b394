package doctor

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// What a server said about a file is told by how whole its answer is, with the command that finds out
// more: again with more time, by hand, or what the server itself lacks.
func TestWhatAServerSaid(t *testing.T) {
	v := configured(t, "{}")
	v.timeout = 10 * time.Second
	probe := filepath.Join(v.opts.Workspace.Root(), "a.toy")
	p := about(registry.Definition{ID: "toy"})
	p.Root, p.Binary, p.probe = v.opts.Workspace.Root(), "/bin/toy", probe
	marked := p
	marked.Marker = "toy.json"
	again, byHand, configuration := "lspine doctor "+setup.Quoted("a.toy")+" --timeout 40s", v.byHand(p), openEditor(filepath.Join(p.Root, "toy.json"), 0)
	for name, c := range map[string]struct {
		of     subject
		answer diagnostics.Answer
		errs   int
		want   result.Symptom
	}{
		"whole":                {p, diagnostics.Answer{Freshness: diagnostics.Fresh, Items: make([]protocol.Diagnostic, 3)}, 1, result.Symptom{Level: result.LevelOK, Message: "a.toy: a complete answer: errors: 1, lesser findings: 2"}},
		"in part":              {p, diagnostics.Answer{Freshness: diagnostics.Partial}, 0, result.Symptom{Level: result.LevelNote, Message: "a.toy: an answer that may be incomplete: nothing is wrong with it"}},
		"in part, with reason": {p, diagnostics.Answer{Freshness: diagnostics.Partial, Reason: "it is cold\nsince today"}, 0, result.Symptom{Level: result.LevelNote, Message: "a.toy: an answer that may be incomplete: nothing is wrong with it; it is cold", Details: []string{"since today"}}},
		"not in time":          {p, diagnostics.Answer{Freshness: diagnostics.Timeout}, 0, result.Symptom{Level: result.LevelProblem, Message: "a.toy: time-out: no diagnostics within the time that was left", Next: again}},
		"it loads":             {p, diagnostics.Answer{Freshness: diagnostics.Indexing, Reason: "40 %"}, 0, result.Symptom{Level: result.LevelProblem, Message: "a.toy: time-out: it still loads the project; 40 %", Next: again}},
		"it loads silently":    {p, diagnostics.Answer{Freshness: diagnostics.Indexing}, 0, result.Symptom{Level: result.LevelProblem, Message: "a.toy: time-out: it still loads the project", Next: again}},
		"something is lacking": {p, diagnostics.Answer{Freshness: diagnostics.Timeout, Lack: diagnostics.Lack{Next: "toy install"}}, 0, result.Symptom{Level: result.LevelProblem, Message: "a.toy: time-out: no diagnostics within the time that was left", Next: "toy install"}},
		"no answer":            {p, diagnostics.Answer{Freshness: diagnostics.Unavailable, Reason: "it says\nnothing"}, 0, result.Symptom{Level: result.LevelProblem, Message: "a.toy: no answer: it says", Details: []string{"nothing"}, Next: byHand}},
		"it does not know it":  {marked, diagnostics.Answer{Freshness: diagnostics.Unavailable, Reason: "not mine"}, 0, result.Symptom{Level: result.LevelProblem, Message: "a.toy: no answer: not mine", Next: configuration}},
		"it ended":             {marked, diagnostics.Answer{Freshness: diagnostics.Unavailable, Reason: "it ended", Err: errors.Join(&lsp.ServerError{})}, 0, result.Symptom{Level: result.LevelProblem, Message: "a.toy: no answer: it ended", Next: byHand}},
	} {
		got := result.Symptom{Level: result.LevelProblem}
		v.heard(&got, c.of, "a.toy", c.answer, c.errs)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The root of a server is named with what marks it; that of the workspace with what was looked for.
func TestRootsOfServers(t *testing.T) {
	v := configured(t, "{}")
	root := v.opts.Workspace.Root()
	for name, c := range map[string]struct {
		marker string
		roots  []string
		want   string
	}{
		"a marker":        {"toy.json", []string{"toy.json"}, "sub (toy.json)"},
		"no marker":       {"", []string{"toy.json", "toy.lock"}, "sub (that of the workspace; no toy.json or toy.lock in or above sub/pkg)"},
		"nothing to find": {"", nil, "sub (that of the workspace)"},
	} {
		p := about(registry.Definition{ID: "toy", Roots: c.roots})
		p.Root, p.Marker, p.probe = filepath.Join(root, "sub"), c.marker, filepath.Join(root, "sub", "pkg", "a.toy")
		want := result.Symptom{Level: result.LevelOK, Step: "root", Message: filepath.FromSlash(c.want)}
		if diff := cmp.Diff(want, v.rooted(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of a file that is never opened the way to have it is said: the ignore list where that leaves it
// out, else what its error advises.
func TestFilesThatAreNotOpened(t *testing.T) {
	v := configured(t, `{"lsp": {"ignore": ["*.gen.toy"]}}`)
	list := v.opts.Config.Source("lsp.ignore")
	for want, err := range map[string]error{
		openEditor(list.File, list.Line): &workspace.NotDiagnosedError{Reason: "the ignore list names it (*.gen.toy)", Advice: "another"},
		"split it":                       &workspace.NotDiagnosedError{Reason: "it is too large", Advice: "split it"},
	} {
		if got := v.unread(err); got != want || want == "" {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

// That a server is not asked about a file has a reason that is said.
func TestWhyAServerIsPassedOver(t *testing.T) {
	for name, c := range map[string]struct {
		x    roots.Examination
		want string
	}{
		"asked":               {roots.Examination{}, ""},
		"only by name":        {roots.Examination{Passed: roots.NotNamed}, `only for those who name it: {"lsp": {"servers": {"toy": {}}}}`},
		"of another scope":    {roots.Examination{Passed: roots.OutOfScope}, "the file is outside of lsp.servers.toy.scope: src, test"},
		"of another project":  {roots.Examination{Passed: roots.Excluded, By: "deno.json"}, "not for files below deno.json"},
		"not configured":      {roots.Examination{Passed: roots.Unconfigured}, "no toy.rc in or above the file's folder"},
		"another comes first": {roots.Examination{Passed: "later"}, "others come before it"},
		"another is asked": {roots.Examination{Passed: "later", By: "first", Searched: []roots.Search{
			{Obstacle: "toy not found in PATH"}, {Obstacle: "/x/toy may not be executed"},
		}}, "first is asked in its place: /x/toy may not be executed"},
	} {
		c.x.Definition = registry.Definition{ID: "toy", Within: []string{"src", "test"}, Requires: []string{"toy.rc"}}
		if got := whyPassed(c.x); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
