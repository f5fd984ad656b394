package cli

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/evidence"
)

// Each call of an agent's tool leaves one record, under the name that the agent called: also one that is refused for its
// arguments, for the place of a file, by a phase or by a permission, and one of a tool that needs no engine. What the
// server asks for a subscription is none.
//
// Requirement: AGENT-39.
func TestEvidenceOfAgentsCalls(t *testing.T) {
	s, path := kept(t)
	change := s.change
	in, client := io.Pipe()
	answers, out := io.Pipe()
	s.change = func(st *Streams) {
		change(st)
		st.In, st.Out = in, out
	}
	ended := make(chan outcomeOf, 1)
	go func() {
		ended <- s.runIn(t.Context(), "mcp", "--root", s.root, "--profile", "full", "--permission", "format_document=deny")
	}()
	lines := bufio.NewReader(answers)
	say := func(id int, method, params string) {
		t.Helper()
		if _, err := fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params); err != nil {
			t.Fatal(err)
		}
		for { // notifications come between
			answer, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			var of int
			if n, _ := fmt.Sscanf(answer, `{"jsonrpc":"2.0","id":%d`, &of); n == 1 && of == id {
				return
			}
		}
	}
	if _, err := io.WriteString(client, hello); err != nil {
		t.Fatal(err)
	}
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(filepath.Dir(s.root), "elsewhere.toy")
	for i, c := range []struct{ tool, arguments string }{
		{"go_to_definition", `{"file_path":"main.toy","line":0,"column":1}`},
		{"get_diagnostics", `{"file_path":"main.toy","nonsense":1}`},
		{"get_diagnostics", fmt.Sprintf(`{"file_path":%q}`, outside)},
		{"set_log_level", `{"level":"error"}`},
		{"get_diagnostics", `{"file_path":"main.toy"}`},
		{"format_document", `{"file_path":"main.toy"}`},
		{"activate_skill", `{"skill_name":"lspine-rename","mode":"block"}`},
		{"activate_skill", `{"skill":"rename","mode":"block"}`},
		{"apply_edit", `{"file_path":"main.toy","old_text":"use helper","new_text":"use other"}`},
	} {
		say(2+i, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, c.arguments))
	}
	say(99, "resources/subscribe", `{"uri":"lsp-diagnostics:///main.toy"}`)
	_ = client.Close()
	if got := <-ended; got.code != exitClean {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
	_ = out.Close()
	var calls []string
	err := evidence.Read(path, func(r *evidence.Record) error {
		e, err := r.Decode()
		if c, is := e.(*evidence.ToolCall); is {
			calls = append(calls, fmt.Sprintf("%s: %s %s %s %t", r.Client, c.Tool, c.Operation, c.ErrorKind, c.Success))
		}
		return err
	})
	slices.Sort(calls) // this process and its engine write side by side
	want := []string{
		"mcp/raw: activate_skill   true",
		"mcp/raw: activate_skill  argument false",
		"mcp/raw: apply_edit edit out_of_phase false",
		"mcp/raw: format_document format_edits denied false",
		"mcp/raw: get_diagnostics diagnostics  true",
		"mcp/raw: get_diagnostics diagnostics argument false",
		"mcp/raw: get_diagnostics diagnostics outside_workspace false",
		"mcp/raw: go_to_definition definition argument false",
		"mcp/raw: set_log_level   true",
	}
	if diff := cmp.Diff(want, calls); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if report, err := evidence.Verify(path); err != nil || len(report.Problems)+len(report.Notes) > 0 {
		t.Errorf("%v %+v", err, report)
	}
}
