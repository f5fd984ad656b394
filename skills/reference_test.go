package skills

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

//go:generate go test . -run TestReferenceIsFresh -update

var update = flag.Bool("update", false, "write the reference again")

// The page about skills says what they say: when, which calls, and what may follow.
func TestReferenceIsFresh(t *testing.T) {
	const file = "../docs/reference/skills.md"
	if *update {
		if err := os.WriteFile(file, []byte(page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page(), string(got)); diff != "" {
		t.Errorf("make generate writes it again:\n%s", diff)
	}
}

func page() string {
	var b strings.Builder
	b.WriteString("# Skills\n\n" +
		"Instructions for agents: for each task, the calls that carry it out, what their answers mean, and when to stop. `lspine mcp`\n" +
		"serves them as prompts (in the full profile as `lsp-rename` and so on) and as resources `lspine://skills/{name}`.\n" +
		"`lspine skills install` writes them where agents look for skills, as `lspine-rename` and so on. See the\n" +
		"[guide](../guides/skills.md). Generated from `skills/` (`make generate`).\n\n")
	for _, s := range All() {
		fmt.Fprintf(&b, "* [%s](#%s)\n", s.Name, s.Name)
	}
	for _, s := range All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.Name, s.Description)
		if len(s.Arguments) > 0 {
			fmt.Fprintf(&b, "Arguments: `%s`.\n\n", strings.Join(s.Arguments, "`, `"))
		}
		var steps []string
		for _, c := range s.Calls() {
			call := fmt.Sprintf("    %s %s\n", c.Tool, c.Arguments)
			if c.Section == Steps && c.Step > 0 && !slices.Contains(steps, call) {
				steps = append(steps, call)
			}
		}
		b.WriteString("Calls:\n\n" + strings.Join(steps, "") + "\nWhat may follow: ")
		for i, name := range s.Next {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "[%s](#%s)", name, name)
		}
		b.WriteString(".\n")
	}
	return b.String()
}
