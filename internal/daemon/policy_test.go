package daemon

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A daemon decides by the user's policy, and the questions of it are put at the client's end: the
// daemon waits for nobody, and the client that says no ends its own call alone.
func TestQuestionsCrossToTheClient(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	text, err := os.ReadFile(s.configFile)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, s.configFile, strings.Replace(string(text), `{"lsp":{`, `{"lsp":{"policy":[{"match":{"class":"edit","client":"cli"},"action":"ask","reason":"yours"}],`, 1))
	c := s.dial()
	defer s.close(c)
	if c.Daemon() == 0 {
		t.Fatal("there is no daemon")
	}
	write := func(said api.Said, file string) result.Kind {
		t.Helper()
		asked := 0
		caller := api.Asking{Caller: c, Ask: func(_ context.Context, q result.Question) (api.Said, error) {
			asked++
			if want := "rule 1 of your policy (" + s.configFile + ":1) asks first: yours"; q.Text != want {
				t.Errorf("the question is %q, want %q", q.Text, want)
			}
			return said, nil
		}}
		content := "def " + string(said) + "\n"
		_, err := api.EditFiles.Do(api.Call{Client: "cli"}.In(t.Context()), caller, api.EditRequest{Edits: []api.FileEdit{{File: file, Content: &content}}})
		if asked != 1 {
			t.Errorf("%d questions", asked)
		}
		if of := result.ErrorOf(err); of != nil {
			return of.Kind
		}
		return ""
	}
	got := []result.Kind{write(api.No, "no.toy"), write(api.Yes, "yes.toy"), write(api.Nothing, "nothing.toy")}
	if diff := cmp.Diff([]result.Kind{result.Denied, "", result.Denied}, got); diff != "" {
		t.Error(diff)
	}
	written, err := filepath.Glob(filepath.Join(s.root, "*o*.toy"))
	if err != nil || len(written) > 0 {
		t.Errorf("written: %v, %v", written, err)
	}
	if _, err := os.Stat(filepath.Join(s.root, "yes.toy")); err != nil {
		t.Error(err)
	}
}
