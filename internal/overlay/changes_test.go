package overlay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// Servers are told what the disk says, and of a claim that is not so the caller
// is told.
func TestNotifyChanged(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Expect("main.toy clean")
	s.Write("lib.toy", "def other\n")
	result := enginetest.Do(t, s, api.NotifyChanged, api.NotifyRequest{Changes: []api.FileChange{
		{File: "lib.toy", Type: "deleted"}, {File: "main.toy", Type: ""}, {File: "none.toy", Type: "created"}, {File: "gone.toy", Type: "deleted"},
	}})
	if result.Done != "told of 0 created, 2 changed, 2 deleted; running servers: 1" {
		t.Error(result.Done)
	}
	if want := []string{"lib.toy is there; that is what was told", "none.toy is gone; that is what was told"}; !slices.Equal(result.Notes, want) {
		t.Errorf("notes %q", result.Notes)
	}
	if got := enginetest.Told(s.Check(api.CheckRequest{Files: []string{"main.toy"}}).Files[0]); !strings.Contains(got, "undefined: helper") {
		t.Errorf("a check afterwards: %s", got)
	}
	for _, wrong := range []struct {
		changes []api.FileChange
		is      func(error) bool
	}{
		{nil, enginetest.Is[*api.ArgumentError]},
		{[]api.FileChange{{File: "main.toy", Type: "moved"}}, enginetest.Is[*api.ArgumentError]},
		{[]api.FileChange{{File: "", Type: ""}}, enginetest.Is[*api.ArgumentError]},
		{[]api.FileChange{{File: ".", Type: ""}}, enginetest.Is[*api.ArgumentError]},
		{[]api.FileChange{{File: "../x.toy", Type: ""}}, enginetest.Is[*workspace.OutsideWorkspaceError]},
	} {
		if _, err := api.NotifyChanged.Do(t.Context(), s.Engine, api.NotifyRequest{Changes: wrong.changes}); !wrong.is(err) {
			t.Errorf("%+v: %T %v", wrong.changes, err, err)
		}
	}
}

// Where no server of a file can be started, the question ends with the reason.
func TestQuestionWithoutAServer(t *testing.T) {
	d := lsptest.Script{ID: "absent"}.Definition(t)
	d.Commands[0].Binary = "no-such-binary-anywhere"
	s := enginetest.Open(t, lsptest.Project, registry.Table{d})
	if _, err := api.Outline.Do(t.Context(), s.Engine, api.SymbolsRequest{File: "main.toy"}); !enginetest.Is[*roots.UnavailableError](err) {
		t.Errorf("%T %v", err, err)
	}
}
