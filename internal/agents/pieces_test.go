package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/lspine/lspine/internal/lsptest"
)

// A command runs us if its program is one of our builds and its first argument is hook, whichever member it stands in.
func TestWhatRunsUs(t *testing.T) {
	for text, want := range map[string]bool{
		`{"command": "lspine hook"}`:                       true,
		`{"bash": "/opt/lspine hook --x"}`:                 true,
		`{"exec": "lspine.exe hook"}`:                      true,
		`{"command": "C:\\bin\\lspine.exe  hook"}`:         true,
		`{"command": "\"/with blank/lspine\" hook"}`:       true,
		`{"command": "\"/with blank/other\" hook"}`:        false,
		`{"command": "\"/with blank/lspine\""}`:            false,
		`{"command": "lspine mcp"}`:                        false,
		`{"command": "lspine"}`:                            false,
		`{"command": "mylspine hook"}`:                     false,
		`{"command": "lspine2 hook"}`:                      false,
		`{"command": "other hook", "bash": "lspine hook"}`: true,
		`{"command": 7}`:                                   false,
		`{}`:                                               false,
		`{"powershell": "lspine hook"}`:                    false,
		`{"command": "lspine hooks"}`:                      false,
		`{"command": "echo lspine hook"}`:                  false,
	} {
		v, err := hujson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := isOurs(&v); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

// Our entries go out of a list, and out of entries that run others too, which stay; so do comments.
func TestOurEntriesGo(t *testing.T) {
	const ours = `{"command": "lspine hook"}`
	for text, want := range map[string]struct {
		Text    string
		Dropped bool
	}{
		`[]`:                                            {`[]`, false},
		`[7, "a", {"hooks": 7}]`:                        {`[7, "a", {"hooks": 7}]`, false},
		`[` + ours + `]`:                                {`[]`, true},
		`[` + ours + `,]`:                               {`[]`, true},
		`[{"command": "a"}, ` + ours + `]`:              {`[{"command": "a"}]`, true},
		`[` + ours + `, {"command": "a"}]`:              {`[ {"command": "a"}]`, true},
		"[\n// why\n" + ours + ",\n7]":                  {"[\n// why\n7]", true},
		"[\n// why\n" + ours + "\n]":                    {"[\n// why\n]", true},
		"[" + ours + "\n// end\n]":                      {"[\n// end\n]", true},
		`[{"hooks": [` + ours + `]}]`:                   {`[]`, true},
		`[{"hooks": [` + ours + `, 7]}, 8]`:             {`[{"hooks": [ 7]}, 8]`, false},
		`[1 , ` + ours + `]`:                            {`[1]`, true},
		`[1 /* why */, ` + ours + `]`:                   {`[1 /* why */]`, true},
		"[1 // why\n, " + ours + `]`:                    {"[1 // why\n]", true},
		`[{"hooks": []}]`:                               {`[{"hooks": []}]`, false},
		`[` + ours + `, ` + ours + `, 1, ` + ours + `]`: {`[ 1]`, true},
	} {
		v, err := hujson.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := want
		got.Dropped = dropElements(v.Value.(*hujson.Array), dropOurs)
		got.Text = v.String()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// What is added to an object or an array stands on a line of its own, indented as the file is, after what is there and
// after comments.
func TestAddedMembers(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "{\n  \"new\": {\n    \"x\": 1\n  }\n}\n",
		"{}":                             "{\n  \"new\": {\n    \"x\": 1\n  }\n}",
		"{\n}":                           "{\n  \"new\": {\n    \"x\": 1\n  }\n}",
		"{\n\t\"a\": 1\n}":               "{\n\t\"a\": 1,\n\t\"new\": {\n\t\t\"x\": 1\n\t}\n}",
		"{\n\t\"a\": 1,\n}":              "{\n\t\"a\": 1,\n\t\"new\": {\n\t\t\"x\": 1\n\t},\n}",
		"{\"a\": 1} // end":              "{\"a\": 1,\n  \"new\": {\n    \"x\": 1\n  }\n} // end",
		"{\"a\": 1}":                     "{\"a\": 1,\n  \"new\": {\n    \"x\": 1\n  }\n}",
		"{\n    \"a\": 1\n    // end\n}": "{\n    \"a\": 1\n    // end\n,\n    \"new\": {\n        \"x\": 1\n    }\n}",
		"{\"new\": 7}":                   "{\"new\": 7}",
	} {
		f, err := parseJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.ensureMember(f.object(), 0, "new", json.RawMessage(`{"x":1}`)); err != nil {
			t.Fatal(err)
		}
		got := string(f.text())
		if strings.Contains(text, "// end") { // where the comma stands is not ours to say
			if !strings.Contains(got, "// end") || !sameJSON([]byte(got), []byte(`{"a": 1, "new": {"x": 1}}`)) {
				t.Errorf("%q becomes %q", text, got)
			}
			continue
		}
		if got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"{\"a\": []}": "{\"a\": [\n    {\n      \"x\": 1\n    }\n  ]}", "{\"a\": [1]}": "{\"a\": [1,\n    {\n      \"x\": 1\n    }\n  ]}",
		"{\n \"a\": [\n  1,\n ]}": "{\n \"a\": [\n  1,\n  {\n   \"x\": 1\n  },\n ]}",
	} {
		f, err := parseJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.appendElement(member(f.object(), "a").Value.(*hujson.Array), 1, json.RawMessage(`{"x":1}`)); err != nil {
			t.Fatal(err)
		}
		if got := string(f.text()); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	broken, err := parseJSON([]byte(`{"a": []}`))
	if err != nil {
		t.Fatal(err)
	}
	array := member(broken.object(), "a").Value.(*hujson.Array)
	_, errPut := broken.ensureMember(broken.object(), 0, "b", json.RawMessage("{"))
	if errAdd := broken.appendElement(array, 1, json.RawMessage("{")); errPut == nil || errAdd == nil || len(array.Elements) != 0 || len(broken.object().Members) != 1 {
		t.Errorf("what is no JSON becomes %s: %v, %v", broken.text(), errPut, errAdd)
	}
	for text, want := range map[string]string{"": "  ", "{\n}": "  ", "{\n \t\n   \"a\": 1}": "   ", "{\n\t\"a\": {\n\t\t\"b\": 1}}": "\t"} {
		if got := indentation([]byte(text)); got != want {
			t.Errorf("%q is indented by %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"[]": "it is no JSON object", "7": "it is no JSON object", "{": "it is no JSON: "} {
		if _, err := parseJSON([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A shell gets words as they are, and in quotes where it would read something else.
func TestLinesForShells(t *testing.T) {
	for want, words := range map[string][]string{
		"lspine hook": {"lspine", "hook"}, `"/a b/lspine" hook`: {"/a b/lspine", "hook"}, `"a\$b" "c\"d" "e\\f" "g` + "\\`" + `h"`: {"a$b", `c"d`, `e\f`, "g`h"}, `"a;b" "it's"`: {"a;b", "it's"},
	} {
		if got := shellLine(words); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// A table goes out of a text with those inside it; other tables, and what only begins alike, stay.
func TestTablesAreTakenOut(t *testing.T) {
	type out struct {
		Rest  string
		Found bool
	}
	for text, want := range map[string]out{
		"":                                     {"", false},
		"a = 1\n\n\n":                          {"a = 1\n\n\n", false},
		"[x.y]\na = 1\n":                       {"", true},
		"a = 1\n\n[x.y]\nb = 1\n":              {"a = 1\n", true},
		"[x.y]\na = 1\n\n[z]\nb = 1\n":         {"[z]\nb = 1\n", true},
		"[x]\n[x.y.env]\na = 1\n[x.yz]\nb = 1": {"[x]\n[x.yz]\nb = 1\n", true},
		"[x.yz]\na = 1\n":                      {"[x.yz]\na = 1\n", false},
		"  [x.y]  \na = 1\n":                   {"", true},
	} {
		var got out
		if got.Rest, got.Found = withoutTable(text, "x.y"); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// A section of rules is the last part of a text, or all of it; without its end all that follows is ours.
func TestRulesAreTakenOut(t *testing.T) {
	type out struct {
		Rest  string
		Found bool
	}
	for text, want := range map[string]out{
		"a\n":                                {"a\n", false},
		rulesText:                            {"", true},
		"a\n\n" + rulesText:                  {"a\n", true},
		"a\n\n" + rulesText + "b\n":          {"a\nb\n", true},
		"a\n\n" + rulesBegin + "something\n": {"a\n", true},
		rulesText + "b\n":                    {"b\n", true},
	} {
		var got out
		if got.Rest, got.Found = withoutRules(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// Two files say the same if only blanks, comments and places for what we write are different.
func TestFilesThatSayTheSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{}`, "", true},
		{"{\"a\": 1} // x\n", `{"a":1}`, true},
		{`{"hooks": {}}`, `{}`, true},
		{`{"hooks": {"Stop": []}}`, `{}`, true},
		{`{"hooks": {"Stop": [1]}}`, `{}`, false},
		{`{"hooks": {"Stop": [], "x": 1}}`, `{"hooks": {"x": 1}}`, true},
		{`{"mcpServers": {}, "servers": {}, "mcp": {}, "context_servers": {}}`, `{}`, true},
		{`{"hooks": 7}`, `{}`, false},
		{`{"other": {}}`, `{}`, false},
		{`{`, `{`, false},
		{`{"a": 1}`, `{"a": 2}`, false},
	} {
		if got := sameJSON([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s and %s: %t", c.a, c.b, got)
		}
	}
	lines := &Change{lines: true, After: []byte("a\n\n")}
	if !lines.saysWhat([]byte("a")) || lines.saysWhat([]byte("a b")) {
		t.Error("lines that differ in their end only are not the same")
	}
	for text, want := range map[string]bool{`{}`: true, `{"version": 1}`: true, `{"version": 2}`: false, `{"a": {}}`: false} {
		f, err := parseJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.isBare(); got != want {
			t.Errorf("%s is bare: %t", text, got)
		}
	}
}

// What is written is kept on record with what was there, until it is taken back; folders that were made for a file go
// with it, others stay.
func TestChangesAreOnRecord(t *testing.T) {
	home, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	p := &Place{Home: home, State: state}
	old, made := filepath.Join(home, "old"), filepath.Join(home, "one", "two", "new")
	lsptest.WriteFile(t, old, "before")
	apply := func(changes ...Change) {
		t.Helper()
		if err := p.Apply(changes); err != nil {
			t.Fatal(err)
		}
	}
	look := func(want map[string]string, folders ...string) {
		t.Helper()
		r, err := p.readRecord()
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		for path, m := range r.Files {
			name, _ := filepath.Rel(home, path)
			got[filepath.ToSlash(name)] = "new"
			if m.Before != nil {
				got[filepath.ToSlash(name)] = string(*m.Before)
			}
			if text, err := os.ReadFile(path); err != nil || hash(text) != m.After {
				t.Errorf("%s is not on record as it is: %v", path, err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for i := range folders {
			folders[i] = filepath.Join(home, filepath.FromSlash(folders[i]))
		}
		if !slices.Equal(folders, r.Folders) {
			t.Errorf("folders %q, want %q", r.Folders, folders)
		}
	}
	apply(Change{Path: old, Existed: true, Before: []byte("before"), After: []byte("ours")}, Change{Path: made, After: []byte("new"), Executable: true})
	look(map[string]string{"old": "before", "one/two/new": "new"}, "one", "one/two")
	if lsptest.HasModes() {
		if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%v, %v", info, err)
		}
	}
	apply(Change{Path: old, Existed: true, Before: []byte("ours"), After: []byte("ours too")})
	look(map[string]string{"old": "before", "one/two/new": "new"}, "one", "one/two")
	if written, err := p.Written(); err != nil || !slices.Equal(written, []string{old, made}) {
		t.Errorf("%q, %v", written, err)
	}
	apply(Change{Path: old, Existed: true, Before: []byte("ours too"), After: []byte("before")}, Change{Path: made, Existed: true, Before: []byte("new"), Removed: true})
	look(map[string]string{})
	if exists(filepath.Join(home, "one")) || exists(p.RecordFile()) || exists(state) {
		t.Error("something is left")
	}

	apply(Change{Path: old, Existed: true, Before: []byte("before"), After: []byte("ours")})
	lsptest.WriteFile(t, old, "somebody's")
	apply(Change{Path: old, Existed: true, Before: []byte("somebody's"), After: []byte("both")})
	look(map[string]string{})
	for _, c := range []Change{
		{Path: old, Existed: true, Before: []byte("other"), After: []byte("x")}, {Path: old, After: []byte("x")}, {Path: filepath.Join(home, "gone"), Existed: true, After: []byte("x")},
	} {
		if err := p.Apply([]Change{c}); err == nil || err.Error() != c.Path+" has changed meanwhile; nothing was written to it" {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if text, err := os.ReadFile(old); err != nil || string(text) != "both" {
		t.Errorf("%s, %v", text, err)
	}
}

// A file that we changed and nobody else did is given back as it was, if taking us out of it leaves it saying that.
func TestFilesAreGivenBack(t *testing.T) {
	home := t.TempDir()
	p := &Place{Home: home, State: filepath.Join(home, "state")}
	path := filepath.Join(home, "f")
	const before, ours = "{ /* odd */ }", `{"hooks": {"Stop": [1]}}`
	lsptest.WriteFile(t, path, before)
	if err := p.Apply([]Change{{Path: path, Existed: true, Before: []byte(before), After: []byte(ours)}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change Change
		after  string
	}{
		"as it was":       {Change{Before: []byte(ours), After: []byte("{}")}, before},
		"removed":         {Change{Before: []byte(ours), Removed: true}, before},
		"another meaning": {Change{Before: []byte(ours), After: []byte(`{"a": 1}`)}, `{"a": 1}`},
		"another text":    {Change{Before: []byte(`{"b": 1}`), After: []byte("{}")}, "{}"},
		"a guide":         {Change{Before: []byte(ours), After: []byte("{}"), guide: true}, "{}"},
	} {
		c.change.Path = path
		all := []Change{c.change}
		if err := p.restore(all); err != nil {
			t.Fatal(err)
		}
		if got := string(all[0].After); got != c.after || all[0].Removed {
			t.Errorf("%s: %q, removed %t; want %q", name, got, all[0].Removed, c.after)
		}
	}
	other := []Change{{Path: filepath.Join(home, "g"), Before: []byte(ours), After: []byte("{}")}}
	if err := p.restore(other); err != nil || string(other[0].After) != "{}" {
		t.Errorf("another file: %q, %v", other[0].After, err)
	}
}

// An agent's file is below the project, below the person's folder, or where a variable has moved the folder of the
// agent; a variable that is no whole path moves nothing.
func TestWhereFilesOfAgentsAre(t *testing.T) {
	home, root, moved := lsptest.Rooted("/person"), lsptest.Rooted("/project"), lsptest.Rooted("/moved")
	p := &Place{Home: home, Root: root, Environ: []string{"CODEX_HOME=" + moved, "COPILOT_HOME=relative"}}
	for _, c := range []struct {
		agent, user string
		scope       Scope
		want        string
	}{
		{"codex", ".codex/a/b", User, filepath.Join(moved, "a", "b")},
		{"codex", ".codex/a/b", Project, filepath.Join(root, "p", "q")},
		{"gemini", ".codex/a/b", User, filepath.Join(home, ".codex", "a", "b")},
		{"codex", ".codexx/a", User, filepath.Join(home, ".codexx", "a")},
		{"copilot", ".copilot/a", User, filepath.Join(home, ".copilot", "a")},
		{"claude", ".claude/a", User, filepath.Join(home, ".claude", "a")},
	} {
		if got := p.file(c.agent, location{c.user, "p/q"}, c.scope); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// A program is on PATH in an absolute folder, also with the endings of programs.
func TestProgramsOnPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"plain", "program.exe", "shell.cmd"} {
		lsptest.WriteFile(t, filepath.Join(dir, name), "")
	}
	t.Chdir(dir)
	for _, c := range []struct {
		path, program string
		want          bool
	}{{dir, "plain", true}, {dir, "program", true}, {dir, "shell", true}, {dir, "other", false}, {".", "plain", false}, {"", "plain", false}, {t.TempDir() + string(filepath.ListSeparator) + dir, "plain", true}} {
		p := &Place{Environ: []string{"PATH=" + c.path}}
		if got := p.onPath(c.program); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	p := &Place{Environ: []string{"GOFLAGS=-x", "GOOS=", "CARGO_HOME=/c", "HOME=/h"}}
	if diff := cmp.Diff([]string{"GOFLAGS=-x", "CARGO_HOME=/c"}, p.stripped(&server{strips: true}, User)); diff != "" {
		t.Error(diff)
	}
	if got := append(p.stripped(&server{strips: true}, Project), p.stripped(&server{}, User)...); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// A record, and a file, that cannot be read are errors, and nothing is written; a record that is none names its file.
func TestWhatCannotBeRead(t *testing.T) {
	home := t.TempDir()
	p := &Place{Home: home, State: filepath.Join(home, "state")}
	folder, file := filepath.Join(home, "folder"), filepath.Join(home, "file")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	write := Change{Path: file, After: []byte("x")}
	if err := p.Apply([]Change{{Path: folder, After: []byte("x")}, write}); err == nil || exists(file) || strings.Contains(err.Error(), "meanwhile") {
		t.Errorf("a folder in the place of a file: %v", err)
	}
	if _, err := p.NewPlan().changeOf(folder); err == nil {
		t.Error("a folder is planned as a file")
	}
	fails := func(about, says string) {
		t.Helper()
		_, written := p.Written()
		for what, err := range map[string]error{"Apply": p.Apply([]Change{write}), "Written": written, "restore": p.restore([]Change{write})} {
			if err == nil || !strings.Contains(err.Error(), says) || exists(file) {
				t.Errorf("%s, %s: %v", about, what, err)
			}
		}
	}
	lsptest.WriteFile(t, p.RecordFile(), "{")
	fails("no record", p.RecordFile()+": ")
	if err := os.Remove(p.RecordFile()); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(p.RecordFile(), 0o755); err != nil {
		t.Fatal(err)
	}
	fails("a folder", "agents.json")
}
