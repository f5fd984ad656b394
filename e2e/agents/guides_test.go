//go:build unix

package agents

import (
	"errors"
	"flag"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	ours "github.com/lspine/lspine/internal/agents"
	"github.com/lspine/lspine/internal/lsptest"
)

var update = flag.Bool("update", false, "write docs/guides/agents, the README's picture and the transcripts that they show")

// titles are the agents' names as their makers write them.
var titles = map[string]string{
	"claude": "Claude Code", "cline": "Cline", "codex": "Codex", "continue": "Continue", "copilot": "Copilot CLI", "crush": "Crush", "cursor": "Cursor",
	"gemini": "Gemini CLI", "llxprt": "LLxprt", "opencode": "opencode", "pi": "pi", "qwen": "Qwen Code", "vscode": "VS Code", "windsurf": "Windsurf", "zed": "Zed",
}

// transcript writes what the model did and what it heard of us, a line or more for each.
func transcript(all []heard, texts ...string) string {
	var b strings.Builder
	for i, h := range all {
		if text := said(h, texts...); text != "" && i > 0 {
			fmt.Fprintf(&b, "LSPine  %s\n", strings.ReplaceAll(text, "\n", "\n        "))
		}
		if h.Answer.Does != "" {
			fmt.Fprintf(&b, "model   %s\n", h.Answer.Does)
		}
	}
	return b.String()
}

// checkTranscript compares with the transcript that the agent's guide shows. One that is late
// with its MCP servers may have called the tool or not: then there is none of that.
func checkTranscript(t *testing.T, a agent, got string) {
	t.Helper()
	if a.late {
		lines := strings.SplitAfter(got, "\n")
		for i := 0; i < len(lines); i++ {
			if strings.Contains(lines[i], "calls the tool check") {
				lines = append(lines[:i], lines[i+2:]...)
			}
		}
		got = strings.Join(lines, "")
	}
	fresh(t, filepath.Join("testdata", a.name+".transcript"), got)
}

// fresh compares a generated file with what it should be, or writes it.
func fresh(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		lsptest.WriteFile(t, name, want)
		return
	}
	got, err := os.ReadFile(name)
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%s is stale: %v\n%s\nwrite it again: go test ./e2e/agents -update", name, err, diff)
	}
}

// Each agent that can be connected has a guide with the files that one command writes into an
// empty home, and with what its model reads, where the agent itself was run.
func TestGuides(t *testing.T) {
	for _, name := range ours.Connectable() {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, agent{}, "")
			m.environ = slices.DeleteFunc(m.environ, func(v string) bool { return strings.HasPrefix(v, "GO") }) // some agents' files would have them
			out := m.lspine(t, "init", "--agent", name, "--dry-run")
			_, diff, found := strings.Cut(out, "Agents: "+name+"\n")
			if !found || titles[name] == "" {
				t.Fatalf("%s has the title %q\n%s", name, titles[name], out)
			}
			if i := strings.Index(diff, "lspine: nothing was written"); i >= 0 {
				diff = diff[:i]
			}
			fresh(t, filepath.Join("..", "..", "docs", "guides", "agents", name+".md"), guide(t, name, strings.ReplaceAll(diff, m.home, "~")))
		})
	}
}

func guide(t *testing.T, name, diff string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# LSPine in %s\n\n", titles[name])
	fmt.Fprintf(&b, "```sh\nlspine init --agent %s                  # for you, in every project; shows this and asks first\nlspine init --agent %[1]s --scope project  # in this project, for everybody who works on it\nlspine uninstall                            # removes exactly that\n```\n\n", name)
	b.WriteString("## What it writes\n\nOn a Linux machine on which the agent has no configuration yet. Existing content is kept.\n\n")
	fmt.Fprintf(&b, "```diff\n%s\n```\n\n## What its model reads\n\n", strings.TrimSpace(diff))
	seen, err := os.ReadFile(filepath.Join("testdata", name+".transcript"))
	switch {
	case err == nil:
		fmt.Fprintf(&b, "A test runs the real agent with a scripted model, which adds a parameter to a function without knowing that `main.go` calls it.\n\n```text\n%s```\n", seen)
	case !errors.Is(err, fs.ErrNotExist):
		t.Fatal(err)
	case ours.CanHook(name):
		b.WriteString("Our tests do not run this agent: its hooks follow its documentation. After an edit that breaks another file, the model would read\n\n" +
			"```text\nalso broken now: main.go (1)\n```\n\nand at the end of its turn what is still broken. [codex.md](codex.md) shows a complete session.\n")
	default:
		b.WriteString("It has no hooks: its model calls the tools of the MCP server `lspine` itself, and reads what an edit broke in the results of `edit`, `rename` and `check`. " +
			"With `--rules`, `lspine init` also adds to its rules (`AGENTS.md`, if it reads that file) that it should check after an edit with one of its own tools.\n")
	}
	b.WriteString("\nFor what each agent gets, and when nothing is reported, see [what an agent reads after its edits](../hooks.md).\n")
	return b.String()
}

// The README's picture is the session of one of the real agents.
func TestPicture(t *testing.T) {
	seen, err := os.ReadFile(filepath.Join("testdata", "codex.transcript"))
	if err != nil {
		t.Fatal(err)
	}
	fresh(t, filepath.Join("..", "..", "docs", "session.svg"), picture(string(seen)))
}

// picture draws the lines of a transcript as a terminal shows them.
func picture(text string) string {
	const size, width, left = 20, 860, 24
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var shown []string
	for _, line := range lines {
		const most = 92
		for len(line) > most {
			at := strings.LastIndexByte(line[:most], ' ')
			shown, line = append(shown, line[:at]), "        "+line[at+1:]
		}
		shown = append(shown, line)
	}
	var b strings.Builder
	height := (len(shown)+2)*size + size/2
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="A session of a coding agent that reads what its edit broke">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="10" fill="#0d1117"/>`+"\n", width, height)
	b.WriteString(`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">` + "\n")
	mine := false
	for i, line := range shown {
		switch {
		case strings.HasPrefix(line, "LSPine"):
			mine = true
		case strings.HasPrefix(line, "model"):
			mine = false
		}
		colour := "#c9d1d9"
		if mine {
			colour = "#7ee787"
			if strings.Contains(line, "broken") || strings.Contains(line, "error") || strings.Contains(line, "not enough") || strings.Contains(line, "WrongArgCount") {
				colour = "#ffa198"
			}
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left, (i+2)*size, colour, html.EscapeString(line))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}
