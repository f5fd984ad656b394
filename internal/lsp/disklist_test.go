package lsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// What a server logs of the errors that its check of the disk found is known when the check is over, by file. A
// server that says that there are errors and lists none is not believed to have none, and any other answer than
// the two is a failure. What it logged before is none of this check.
func TestListOfTheDiskCheck(t *testing.T) {
	log := func(lines ...string) lsptest.Action {
		return lsptest.Notify("window/logMessage", fmt.Sprintf(`{"type":1,"message":%q}`, strings.Join(lines, "\n")))
	}
	a, b, older := lsptest.Rooted("/w/a.toy"), lsptest.Rooted("/w/sub/../b.toy"), lsptest.Rooted("/w/old.toy")
	for name, tt := range map[string]struct {
		actions []lsptest.Action
		want    map[string][]string
		err     string
	}{
		"errors":     {[]lsptest.Action{log("failed:", " a is wrong in "+a, " b is wrong in "+b, " c is wrong in "+a), lsptest.Reply("2")}, map[string][]string{a: {"a is wrong", "c is wrong"}, lsptest.Rooted("/w/b.toy"): {"b is wrong"}}, ""},
		"no errors":  {[]lsptest.Action{lsptest.Reply("1")}, map[string][]string{}, ""},
		"not listed": {[]lsptest.Action{log("failed"), lsptest.Reply("2")}, nil, ""},
		"failed":     {[]lsptest.Action{log(" a is wrong in " + a), lsptest.Reply("0")}, nil, "the check of the files on disk failed: the answer was 0"},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
				lsptest.OnNth("textDocument/didOpen", 1, log(" older in "+older)),
				lsptest.On("toy/build", tt.actions...),
			}}, func(d *registry.Definition, _ *lsp.Options) {
				d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/build", Params: raw("false"), List: &registry.DiskList{
					Clean: "1", Broken: "2", Logged: `(?m)^ (?P<message>.*) in (?P<file>.*)$`,
				}}
			})
			p.sync("main.toy", "")
			p.alive()
			listed, err := p.BeginDiskCheck(p.context())
			if diff := cmp.Diff(tt.want, listed); diff != "" {
				t.Error(diff)
			}
			if got := fmt.Sprint(err); err != nil && got != tt.err || err == nil && tt.err != "" {
				t.Errorf("error %q, want %q", got, tt.err)
			}
		})
	}
}

// A server that lists nothing is believed whatever it answers.
func TestDiskCheckWithoutAList(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{lsptest.On("toy/build", lsptest.Reply("0"))}}, func(d *registry.Definition, _ *lsp.Options) {
		d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/build", Params: raw("false")}
	})
	if listed, err := p.BeginDiskCheck(p.context()); listed != nil || err != nil {
		t.Errorf("listed %v, error %v", listed, err)
	}
}
