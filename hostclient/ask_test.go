package hostclient

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/pkg/host"
	"github.com/lspine/lspine/pkg/types"
)

// What the user's policy asks about is put to the host's user; without Ask the fallback decides. Time that the user takes
// does not count as time of the call.
func TestAsk(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config.jsonc")
	lsptest.WriteFile(t, config, `{"lsp": {"askTimeout": 20000, "policy": [
		{"match": {"operation": "check"}, "action": "ask", "fallback": "allow"},
		{"match": {"class": "edit"}, "action": "ask", "fallback": "deny"}
	]}}`)
	var asked Question
	slow := make(chan struct{})
	for name, c := range map[string]struct {
		ask  func(context.Context, Question) Said
		want []string // the kinds of an edit and of a check
	}{
		"yes": {func(_ context.Context, q Question) Said {
			if q.Method == "lspine/edit" {
				asked = q
			}
			return Yes
		}, []string{"", "new_errors"}},
		"no":     {func(context.Context, Question) Said { return No }, []string{"denied", "denied"}},
		"nobody": {nil, []string{"denied", "new_errors"}},
	} {
		t.Run(name, func(t *testing.T) {
			opts := options(t, "-- main.toy --\nERROR one\n", lsptest.Script{})
			opts.Env = append(opts.Env, "LSPINE_CONFIG="+config)
			opts.Ask = c.ask
			h := host.New(started(t, opts))
			text := "ERROR two\n"
			of := func(verdict string, err error) string {
				if err != nil {
					return string(types.ErrorOf(err).Kind)
				}
				return verdict
			}
			_, err := h.Edit(t.Context(), types.EditRequest{Edits: []types.FileEdit{{File: "main.toy", Content: &text}}})
			check, checkErr := h.Check(t.Context(), types.CheckRequest{Files: []string{"main.toy"}, Baseline: "none"})
			if diff := cmp.Diff(c.want, []string{of("", err), of(check.Verdict, checkErr)}); diff != "" {
				t.Error(diff)
			}
		})
	}
	if asked.ID == "" || asked.Text == "" || asked.TimeoutMS != 20000 || len(asked.Params) == 0 {
		t.Errorf("asked %+v", asked)
	}
	opts := options(t, "-- main.toy --\nERROR one\n", lsptest.Script{})
	opts.Env = append(opts.Env, "LSPINE_CONFIG="+config)
	opts.Call = 4 * time.Second // in which a server has started, however busy the machine
	opts.Ask = func(context.Context, Question) Said { <-slow; return Yes }
	c := started(t, opts)
	time.AfterFunc(opts.Call+2*time.Second, func() { close(slow) })
	if got := c.CheckFile(t.Context(), filepath.Join(opts.Root, "main.toy"), nil); len(got) != 1 {
		t.Errorf("a call whose user thinks for long answers %v", got)
	}
}
