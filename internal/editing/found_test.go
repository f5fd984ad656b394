package editing_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// Actions are asked for with each diagnostic of the lines by itself, or with those alone that are named.
func TestDiagnosticsOfTheLines(t *testing.T) {
	t.Parallel()
	s := openRude(t, func(func(string) string) []lsptest.Rule {
		return []lsptest.Rule{lsptest.On("textDocument/codeAction", lsptest.Reply("[]"))}
	})
	s.Write("lib.toy", "ERROR first\nERROR second\ndef c\nWARN fourth one\nERROR last\n")
	lines := func(start, end int) api.FixesRequest {
		return api.FixesRequest{Selector: api.Selector{File: "lib.toy"}, StartLine: api.OneBased(start), EndLine: api.OneBased(end)}
	}
	named := func(diagnostic string) api.FixesRequest {
		return api.FixesRequest{Selector: api.Selector{File: "lib.toy"}, Diagnostic: diagnostic}
	}
	for want, req := range map[string]api.FixesRequest{
		"first": lines(1, 1), "second": lines(2, 2), "first, second": lines(1, 2), "": lines(3, 3), "second, fourth one": lines(2, 4), "fourth one, last": lines(3, 5), "last": lines(5, 5),
		"first, second, fourth one, last": {Selector: api.Selector{File: "lib.toy"}}, "fourth one": named("FOURTH"),
	} {
		seen := len(lsptest.ReadJournal(t, s.Folder+".journal"))
		enginetest.Do(t, s, api.Fixes, req)
		var got []string
		for _, e := range lsptest.ReadJournal(t, s.Folder+".journal")[seen:] {
			if e.Method != "textDocument/codeAction" {
				continue
			}
			var p struct {
				Context struct {
					Diagnostics []struct{ Message string }
				}
			}
			if err := json.Unmarshal(e.Params, &p); err != nil {
				t.Fatal(err)
			}
			var sent []string
			for _, d := range p.Context.Diagnostics {
				sent = append(sent, d.Message)
			}
			if len(sent) > 0 { // others are for the lines as such
				got = append(got, strings.Join(sent, " and "))
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", req, diff)
		}
	}
}
