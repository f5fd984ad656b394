package editing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// A declaration is deleted if it is used on its own lines alone; else the first ten of its uses are told with their
// lines, and how many more there are. Where nobody knows its uses it stays.
func TestUsesOfADeclaration(t *testing.T) {
	t.Parallel()
	use := func(file string, line int) string {
		return fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":%d,"character":4},"end":{"line":%d,"character":10}}}`, file, line, line)
	}
	var many, told []string
	for n := range 11 {
		many = append(many, use("$main", n))
		if n < 10 {
			told = append(told, fmt.Sprintf("\nmain.toy:%d:5  use helper", n+1))
		}
	}
	used := func(places, list string) string { return "helper is not deleted: it is used in " + places + ":" + list }
	for name, c := range map[string]struct {
		answer lsptest.Action
		want   string
	}{
		"nobody":         {lsptest.Reply(`[]`), ""},
		"it itself":      {lsptest.Reply("[" + use("$lib", 1) + "]"), ""},
		"another file":   {lsptest.Reply("[" + use("$main", 1) + "]"), used("1 place", "\nmain.toy:2:5  use helper")},
		"the line above": {lsptest.Reply("[" + use("$lib", 0) + "]"), used("1 place", "\nlib.toy:1:5  use helper first")},
		"the line below": {lsptest.Reply("[" + use("$lib", 2) + "]"), used("1 place", "\nlib.toy:3:5  use helper last")},
		"ten":            {lsptest.Reply("[" + strings.Join(many[:10], ",") + "]"), used("10 places", strings.Join(told, ""))},
		"eleven":         {lsptest.Reply("[" + strings.Join(many, ",") + "]"), used("11 places", strings.Join(told, "")+"\n... and 1 more")},
	} {
		s := openRude(t, func(fill func(string) string) []lsptest.Rule {
			c.answer.JSON = []byte(fill(string(c.answer.JSON)))
			return []lsptest.Rule{lsptest.On("textDocument/references", c.answer)}
		})
		s.Write("lib.toy", "use helper first\ndef helper\nuse helper last\n")
		s.Write("main.toy", strings.Repeat("use helper\n", 12))
		_, err := api.EditSymbol.Do(t.Context(), s.Engine, api.EditSymbolRequest{Selector: api.Selector{At: "lib.toy:2:5"}, Action: "delete"})
		got, left := "", "use helper first\ndef helper\nuse helper last\n"
		if err != nil {
			got = err.Error()
		} else {
			left = "use helper first\nuse helper last\n"
		}
		if err != nil && !enginetest.Is[*editing.InUseError](err) {
			t.Errorf("%s: %T", name, err)
		}
		if diff := cmp.Diff([]string{c.want, left}, []string{got, s.Read("lib.toy")}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	s := openRude(t, func(func(string) string) []lsptest.Rule {
		return []lsptest.Rule{lsptest.On("textDocument/references", lsptest.ReplyError(-32603, "it broke", ""))}
	})
	_, err := api.EditSymbol.Do(t.Context(), s.Engine, api.EditSymbolRequest{Selector: api.Selector{At: "lib.toy:1:5"}, Action: "delete"})
	if err == nil || !strings.HasPrefix(err.Error(), "helper is not deleted, because who uses it is not known: ") || !strings.Contains(err.Error(), "it broke") {
		t.Errorf("where nobody knows: %v", err)
	}
	untouched(s)
}
