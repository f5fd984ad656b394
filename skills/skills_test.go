package skills

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxLines bounds a body: it is read while a model works.
const maxLines = 120

// Each skill is in the folder of its name, its front matter is what the Agent Skills format allows, it
// is short, and it says how, what answers mean, and when to stop.
func TestEachSkillIsWellFormed(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			if _, err := files.ReadFile(s.Name + "/" + FileName); err != nil || !name.MatchString(s.Name) || len(s.Name) > 64 {
				t.Errorf("its folder has another name: %v", err)
			}
			if n := len(s.Description); n < 60 || n > 400 || !strings.Contains(s.Description, "Use ") || strings.Contains(s.Description, ": ") || strings.ContainsAny(s.Description, "#<>\"") {
				t.Errorf("the description has %d bytes, must say when to Use it, and be a plain scalar of YAML: %s", n, s.Description)
			}
			if n := strings.Count(s.Body, "\n"); n > maxLines || n < 10 {
				t.Errorf("the body has %d lines", n)
			}
			headings := regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(s.Body, -1)
			var said []string
			for _, h := range headings {
				said = append(said, h[1])
			}
			known := []string{Steps, "Verdicts", "What the answers mean", "Stop", FullProfile}
			if len(said) < 3 || said[0] != Steps || !slices.Contains(known[1:3], said[1]) || said[2] != "Stop" || len(said) > 4 || len(said) == 4 && said[3] != FullProfile {
				t.Errorf("the sections are %q", said)
			}
			for _, verdict := range []string{"clean", "new_errors", "baseline_error", "unknown", "lsp_unavailable"} {
				if said[1] == "Verdicts" && !strings.Contains(s.Body, "`"+verdict+"`") {
					t.Errorf("it does not say what to do with %s", verdict)
				}
			}
			for line := range strings.SplitSeq(s.Body, "\n") {
				if len(line) > 160 && !callNamed().MatchString(line) || strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
					t.Errorf("a long line, or blanks: %q", line)
				}
			}
		})
	}
}

// Calls are JSON once their keys are in quotes; their tools are those that the front matter allows;
// what is to be filled in is an argument of the skill or comes out of a step before.
func TestEachSkillNamesItsCalls(t *testing.T) {
	number := regexp.MustCompile(`(": )<[a-z_]+>`)
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			var tools []string
			for _, c := range s.Calls() {
				if !json.Valid(number.ReplaceAll([]byte(c.Arguments), []byte("${1}1"))) {
					t.Errorf("%s %s is no JSON", c.Tool, c.Arguments)
				}
				if c.Section != FullProfile && !slices.Contains(tools, c.Tool) {
					tools = append(tools, c.Tool)
				}
			}
			missing := slices.DeleteFunc(slices.Clone(s.Tools), func(name string) bool { return slices.Contains(tools, name) || strings.Contains(s.Body, "`"+name+"`") })
			if len(missing) > 0 {
				t.Errorf("it allows %q, and does not name them", missing)
			}
			for _, name := range tools {
				if !slices.Contains(s.Tools, name) {
					t.Errorf("it calls %s, and does not allow it", name)
				}
			}
			for _, name := range s.Arguments {
				if !strings.Contains(s.Body, "<"+name+">") {
					t.Errorf("the argument %s is nowhere", name)
				}
			}
			for _, next := range s.Next {
				if _, ok := Named(next); !ok || next == s.Name {
					t.Errorf("what may follow is %s, which is no other skill", next)
				}
			}
		})
	}
}

// A call is read with its section; keys are quoted, and texts that look like keys are not.
func TestCalls(t *testing.T) {
	s := Skill{Body: "# X\n`none {}`\n## Steps\n\n1. First\n   `edit {edits: [{file: \"a, b: {c: 1}\", old_text: \"\\\"x\\\", y: 2\"}], n: 2}` and `check {}`, not `check`\n2. `check {}`\n\n`status {}`\n"}
	want := []Call{
		{"", 0, "none", "{}"},
		{Steps, 1, "edit", `{"edits": [{"file": "a, b: {c: 1}", "old_text": "\"x\", y: 2"}], "n": 2}`},
		{Steps, 1, "check", "{}"},
		{Steps, 2, "check", "{}"},
		{Steps, 0, "status", "{}"},
	}
	if diff := cmp.Diff(want, s.Calls()); diff != "" {
		t.Error(diff)
	}
}

// Arguments that are known stand in their places, others stay open; one that there is not is an error
// that names those there are.
func TestWith(t *testing.T) {
	s := Skill{Name: "x", Arguments: []string{"symbol", "new_name"}, Body: "<symbol> to <new_name>, <symbol>"}
	got, err := s.With(map[string]string{"symbol": "a <new_name>", "new_name": ""})
	if want := "a <new_name> to <new_name>, a <new_name>"; got != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	_, err = s.With(map[string]string{"name": "a"})
	if want := (&ArgumentError{"x", "name", s.Arguments}); !cmp.Equal(err, error(want)) || want.Hint() != "it has symbol, new_name" || (&ArgumentError{}).Hint() != "it has none" {
		t.Errorf("%v, want %v", err, want)
	}
}

// Under another name a skill is the same but for the names, its own and those of others.
func TestPrefixed(t *testing.T) {
	s, _ := Named("rename")
	got := s.Prefixed("x-")
	want := s
	want.Name, want.Next = "x-rename", []string{"x-verify", "x-docs"}
	want.Body = strings.ReplaceAll(s.Body, "(skill simulate)", "(skill x-simulate)")
	want.Text = strings.NewReplacer("name: rename\n", "name: x-rename\n", "next: verify docs\n", "next: x-verify x-docs\n", "(skill simulate)", "(skill x-simulate)").Replace(s.Text)
	if diff := cmp.Diff(want, got); diff != "" || want.Body == s.Body {
		t.Error(diff)
	}
	other := Skill{Text: "# No skill here, nor skill nobody\n", Body: "# No skill here, nor skill nobody\n"}
	if got := other.Prefixed("x-"); got.Body != other.Body {
		t.Errorf("what is no name becomes %q", got.Body)
	}
}

// What others are called stands in bodies as "skill NAME" or "skills": nothing else would be found.
func TestSkillsNameEachOther(t *testing.T) {
	for _, s := range All() {
		for _, m := range skillNamed().FindAllString(s.Body, -1) {
			if _, ok := Named(strings.TrimPrefix(m, "skill ")); !ok {
				t.Errorf("%s: %q is no skill", s.Name, m)
			}
		}
	}
}

// What is no skill is not taken for one.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "name: x\n", "---\nname: x\n", "---\nnmae: x\n---\n", "---\nmetadata:\n  args: x\n---\n"} {
		if s, err := parse(text); err == nil {
			t.Errorf("%q is %+v", text, s)
		}
	}
}
