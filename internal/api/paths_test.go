package api

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The paths of a request are found wherever they stand in it: by themselves, in lists, in the keys
// of maps, in edits and in the requests within them, and in the names of symbols.
func TestPathsOfRequests(t *testing.T) {
	text := "x"
	for _, c := range []struct {
		request any
		want    []string
	}{
		{StatusRequest{Scope: "all"}, nil},
		{CheckRequest{Files: []string{"a.go", "b"}, Contents: map[string]string{"a.go": "text"}}, []string{"a.go", "b"}},
		{DefinitionRequest{Selector: Selector{At: "src/a.go:42:7"}}, []string{"src/a.go"}},
		{DefinitionRequest{Selector: Selector{At: "my file.go:42 Load"}}, []string{"my", "my file.go", "my file.go:42 Load"}},
		{DefinitionRequest{Selector: Selector{At: "C:"}}, []string{"C:"}},
		{DefinitionRequest{Selector: Selector{File: "a.go", Symbol: "no/path"}}, []string{"a.go"}},
		{EditRequest{Edits: []FileEdit{{File: "a.go", OldText: &text, RenameTo: "b.go"}, {File: "a.go", Content: &text}}}, []string{"a.go", "b.go"}},
		{SimulateRequest{Session: "s", Edits: []SimulatedEdit{{Rename: &RenameRequest{Selector: Selector{File: "c.go"}, NewPath: "d.go"}}}}, []string{"c.go", "d.go"}},
		{NotifyRequest{Changes: []FileChange{{File: "e.go"}}}, []string{"e.go"}},
		{CrossRepoRequest{ConsumerRoots: []string{"../app"}}, []string{"../app"}},
		{AssembleRequest{Ranges: []Range{{File: "a.go"}}, InView: []Range{{File: "b.go"}}, Symbols: []string{"c.go Load"}}, []string{"a.go", "c.go", "c.go Load", "b.go"}},
		{CommandRequest{Command: "path", Arguments: []json.RawMessage{json.RawMessage(`"a"`)}, File: "f.go"}, []string{"f.go"}},
	} {
		got := PathsOf(c.request)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v\n%s", c.request, diff)
		}
	}
}

// Every member of a request whose description speaks of files or folders is known to name some,
// or is known not to.
func TestEveryPathIsKnown(t *testing.T) {
	other := []string{
		"patch", "workspace_edit", // the changes that they draft are decided once they are known
		"exclude_globs", "pattern", "git_range", "rename", "delete", "expect_hash", "content", "replace_all", "range", // say what with a file
		"tab_size", "insert_spaces", "apply", "new_name", "confirm", "text", "number", "code", "title", "only", "scope", "depth", "limit",
		"diagnostic", "language", "start_line", "include_declaration", "baseline", "severities", "mode", "with_texts", "on_disk",
		"edits", "changes", "ranges", "gone", "refresh", "timeout_ms", "revision", "wait_limit_ms", "state", "connect", "symbol", "fix",
	}
	var check func(op string, of reflect.Type)
	check = func(op string, of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			return
		}
		for _, f := range fieldsOf(of) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			said := f.Tag.Get("jsonschema")
			speaks := strings.Contains(said, "file") || strings.Contains(said, "folder") || strings.Contains(said, "path")
			if speaks && !slices.Contains(pathMembers, name) && !slices.Contains(symbolMembers, name) && !slices.Contains(other, name) {
				t.Errorf("%s: %s (%s) may name a file that no rule of a policy would see", op, name, said)
			}
			check(op, f.Type)
		}
	}
	for name, request := range map[string]any{
		"check": CheckRequest{}, "edit": EditRequest{}, "edit_symbol": EditSymbolRequest{}, "build": BuildRequest{}, "rename": RenameRequest{},
		"fixes": FixesRequest{}, "format": FormatRequest{}, "execute_command": CommandRequest{}, "simulate": SimulateRequest{},
		"symbols": SymbolsRequest{}, "impact": ImpactRequest{}, "workspace_folders": FoldersRequest{}, "notify_changed": NotifyRequest{},
		"servers": ServersRequest{}, "doctor": DoctorRequest{}, "open": OpenRequest{}, "assemble": AssembleRequest{}, "cross_repo_references": CrossRepoRequest{},
	} {
		check(name, reflect.TypeOf(request))
	}
}
