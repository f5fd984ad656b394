package editing_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// Where nobody knows which lines a server counts in a file, nothing that it proposes for the file is
// made, and places in the file are told with that doubt. Who knows how it counts, decides.
func TestFilesOfDoubtfulLines(t *testing.T) {
	t.Parallel()
	const text = "def helper \f\nuse helper\nuse missing\n"
	rename := `{"changes":{"$main":[{"range":` + named1 + `,"newText":"other"}]}}`
	open := func(t *testing.T, lines *registry.Lines) *enginetest.Shop {
		s := openRude(t, func(fill func(string) string) []lsptest.Rule {
			return []lsptest.Rule{
				lsptest.On("textDocument/prepareRename", lsptest.Reply(`{"range":`+named1+`,"placeholder":"helper"}`)),
				lsptest.On("textDocument/rename", lsptest.Reply(fill(rename))),
				lsptest.On("textDocument/formatting", lsptest.Reply(toProposed)),
			}
		})
		s.Config.Servers[0].Lines = lines
		s = s.Reopen(func(*enginetest.Options) {})
		s.Remove("lib.toy")
		s.Write("main.toy", text)
		return s
	}
	t.Run("unknown", func(t *testing.T) {
		t.Parallel()
		s := open(t, nil)
		_, renamed := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: "main.toy:1:5"}, NewName: "other"})
		_, formatted := api.Format.Do(t.Context(), s.Engine, api.FormatRequest{Area: api.Area{File: "main.toy"}})
		_, listed := api.FormatEdits.Do(t.Context(), s.Engine, api.FormatEditsRequest{Area: api.Area{File: "main.toy"}})
		_, replaced := api.EditSymbol.Do(t.Context(), s.Engine, api.EditSymbolRequest{Selector: api.Selector{At: "main.toy helper"}, Action: "replace", Code: "def other"})
		for what, err := range map[string]error{"edit symbol": replaced, "rename": renamed, "format": formatted, "format edits": listed} {
			var refused *editing.LinesError
			if !errors.As(err, &refused) || *refused != (editing.LinesError{Server: "toy", Path: "main.toy", End: '\f'}) || !strings.Contains(refused.Hint(), "edit") {
				t.Errorf("%s: %v", what, err)
			}
		}
		if s.Read("main.toy") != text {
			t.Errorf("it was written: %q", s.Read("main.toy"))
		}
		const doubt = "main.toy has a form feed, and it is not known whether that ends a line for toy: lines below it may be wrong"
		places := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: "main.toy helper"}})
		if diff := cmp.Diff([]string{doubt}, places.Notes); diff != "" || places.Completeness != result.NotKnown {
			t.Errorf("references: %s, %s", places.Completeness, diff)
		}
		checked := s.Check(api.CheckRequest{Files: []string{"main.toy"}})
		if note := checked.Files[0].Servers[0].Note; len(checked.Files[0].Diagnostics) == 0 || !strings.Contains(note, "a form feed") {
			t.Errorf("%+v", checked.Files[0])
		}
	})
	t.Run("known", func(t *testing.T) {
		t.Parallel()
		s := open(t, &registry.Lines{Read: "\r", Reported: "\r", Edited: "\r"})
		places := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: "main.toy helper"}})
		if len(places.Notes) > 0 || places.Completeness != result.Complete {
			t.Errorf("references: %s, %v", places.Completeness, places.Notes)
		}
		if note := s.Check(api.CheckRequest{Files: []string{"main.toy"}}).Files[0].Servers[0].Note; note != "" {
			t.Error(note)
		}
		enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "main.toy:1:5"}, NewName: "other"})
		if want := strings.Replace(text, "helper", "other", 1); s.Read("main.toy") != want {
			t.Errorf("%q", s.Read("main.toy"))
		}
	})
	t.Run("torn", func(t *testing.T) {
		t.Parallel()
		s := open(t, &registry.Lines{Torn: "\f"})
		_, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: "main.toy:1:5"}, NewName: "other"})
		var refused *editing.LinesError
		if !errors.As(err, &refused) || !refused.Known || s.Read("main.toy") != text {
			t.Errorf("%v, %q", err, s.Read("main.toy"))
		}
	})
}
