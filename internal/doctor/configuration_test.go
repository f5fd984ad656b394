package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// What is wrong with the configuration is told first, each with the way to where it is written: what
// cannot be read, what is not applied, and that all is switched off. The status tells it too.
func TestWhatIsWrongWithTheConfiguration(t *testing.T) {
	v := configured(t, `{"lsp": false}`)
	source := v.opts.Config.Source("lsp")
	if diff := cmp.Diff([]result.Symptom(nil), symptomsOf(configured(t, "{}"))); diff != "" {
		t.Errorf("nothing is wrong: %s", diff)
	}
	v.opts.Problems = []config.Problem{
		{Layer: config.LayerUser, File: "/c", Line: 3, Column: 4, Key: "lsp.x", Message: "no such setting"},
		{Layer: config.LayerEnvironment, Name: "LSPINE_X", Message: "no number"},
	}
	v.opts.Config.Untrusted = []config.Untrusted{{File: "/p", Line: 2, ID: "gopls", Field: "env", Value: "{}"}}
	problem := func(p config.Problem, next string) result.Symptom {
		return result.Symptom{Level: result.LevelProblem, Step: "configuration", Message: p.Error(), Next: next}
	}
	want := []result.Symptom{
		problem(v.opts.Problems[0], openEditor("/c", 3)),
		problem(v.opts.Problems[1], changing(config.Source{Layer: config.LayerEnvironment, Name: "LSPINE_X"})),
		v.untrusted(v.opts.Config.Untrusted[0]),
		{
			Level: result.LevelProblem, Step: "configuration", Message: "LSP is switched off (" + source.String() + "): no server is started",
			Next: openEditor(source.File, source.Line),
		},
	}
	if diff := cmp.Diff(want, symptomsOf(v)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	said := []string{v.opts.Problems[0].Error(), v.opts.Problems[1].Error(), v.opts.Config.Untrusted[0].String()}
	for scope, problems := range map[string][]string{"all": said, "": nil, "running": nil} {
		want := result.Status{Root: v.opts.Workspace.Root(), Servers: []result.Server{}, Disabled: true, Problems: problems}
		got, err := v.Status(t.Context(), api.StatusRequest{Scope: scope})
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", scope, err, diff)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if status, err := v.Status(canceled, api.StatusRequest{}); err == nil {
		t.Errorf("canceled: %+v", status)
	}
}

func symptomsOf(v *run) []result.Symptom {
	v.configuration()
	return v.result.Symptoms
}

// The files of a workspace that cannot be listed in time are a problem with the command that gives
// them more time; who no longer wants to know is told nothing.
func TestFilesThatAreNotListedInTime(t *testing.T) {
	v := configured(t, "{}")
	v.timeout = 2 * time.Second
	var cancel context.CancelFunc
	v.work, cancel = context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	subjects, err := v.admit(nil)
	want := []result.Symptom{{Level: result.LevelProblem, Step: "workspace", Message: "the files could not be listed within 2s", Next: "lspine doctor --timeout 8s"}}
	if diff := cmp.Diff(want, v.result.Symptoms); diff != "" || subjects != nil || err != nil {
		t.Errorf("%+v, %v (-want +got):\n%s", subjects, err, diff)
	}
	v.result.Symptoms = nil
	v.work, cancel = context.WithCancel(t.Context())
	cancel()
	if subjects, err := v.admit(nil); subjects != nil || !errors.Is(err, context.Canceled) || v.result.Symptoms != nil {
		t.Errorf("%+v, %v: %+v", subjects, err, v.result.Symptoms)
	}
}

// A server that somebody else runs, and that fails, is changed where it is configured; one that refuses
// is started by hand. The command that does so names the server's folder, program and arguments.
func TestServersThatFail(t *testing.T) {
	v := configured(t, `{"lsp": {"servers": {"gopls": {"connect": "localhost:9"}, "clangd": {"command": ["/bin/clangd"]}}}}`)
	far, own, theirs := about(registry.Definition{ID: "gopls", Connect: "localhost:9"}), about(registry.Definition{ID: "clangd"}), about(registry.Definition{ID: "toy", Install: []string{"get toy"}})
	for _, p := range []*subject{&far, &own, &theirs} {
		p.Root, p.Binary = v.opts.Workspace.Root(), "/bin/"+p.Definition.ID
	}
	at := func(key string) string {
		source := v.opts.Config.Source(key)
		if source.File == "" {
			t.Errorf("%s is not configured", key)
		}
		return openEditor(source.File, source.Line)
	}
	connect, command := at("lsp.servers.gopls.connect"), at("lsp.servers.clangd.command")
	if diff := cmp.Diff([]string{connect, command, "get toy"}, []string{v.anew(far), v.anew(own), v.anew(theirs)}); diff != "" {
		t.Errorf("anew: %s", diff)
	}
	refused := &jsonrpc.ResponseError{Code: 1, Message: "no"}
	frame := &jsonrpc.FrameError{Reason: "noise"}
	for name, c := range map[string]struct {
		p             subject
		err           error
		message, next string
	}{
		"somebody else's":  {far, errors.New("gone"), "gone", connect},
		"one that refuses": {theirs, &lsp.ServerError{Phase: "initialize", Err: refused}, "it refused: " + refused.Error(), v.byHand(theirs)},
		"one of the user":  {own, frame, "it does not speak LSP: " + frame.Error(), command},
	} {
		step := "start"
		if name == "one that refuses" {
			step = "initialize"
		}
		want := result.Symptom{Level: result.LevelProblem, Step: step, Message: c.message, Next: c.next}
		if diff := cmp.Diff(want, v.failed(c.p, c.err, 0), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of a server that cannot run since nothing marks a project, it is told what was looked for, and the
// marker that can be made; a pattern cannot.
func TestServersWithoutARoot(t *testing.T) {
	v := configured(t, "{}")
	root := v.opts.Workspace.Root()
	for name, c := range map[string]struct {
		roots []string
		next  string
	}{
		"a name":            {[]string{"toy.json"}, "toy.json"},
		"a pattern, a name": {[]string{"*.toy", "toy.json"}, "toy.json"},
		"patterns":          {[]string{"*.toy", "a?.toy", "[ab].toy"}, ""},
	} {
		p := about(registry.Definition{ID: "toy", Roots: c.roots})
		p.Root, p.probe = root, filepath.Join(root, "sub", "a.toy")
		want := result.Symptom{Level: result.LevelProblem, Step: "root", Message: "no " + workspace.AnyOf(c.roots) + " in or above sub"}
		if c.next != "" {
			want.Next = v.opts.Setup.Within(root, setup.Here.Touch(c.next))
		}
		if diff := cmp.Diff(want, v.rootless(p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
