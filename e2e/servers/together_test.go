//go:build unix

package servers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A word is what one server says of the main file of a pair: its only finding.
type word struct {
	server string
	finding
}

// A pair is two servers that judge the same file.
type pair struct {
	story // of the server for TypeScript, which is the better one of its group
	types word
	lint  word
}

// TestTogether lets a server for TypeScript and eslint judge one file: what they
// say is one answer, they are asked at once, and when one of them hangs or dies, the
// other's word stands and the answer says whose is missing.
func TestTogether(t *testing.T) {
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			lsptest.Require(t, server)
			p := beginTogether(t, server)
			t.Run("merged", p.merged)
			t.Run("eslint hangs", func(t *testing.T) { p.hangs(t, p.lint, p.types) })
			t.Run("TypeScript hangs", func(t *testing.T) { p.hangs(t, p.types, p.lint) })
			t.Run("eslint is killed", func(t *testing.T) { p.dies(t, p.lint, p.types) })
			t.Run("TypeScript is killed", func(t *testing.T) { p.dies(t, p.types, p.lint) })
			t.Run("edit", p.edit)
			t.Run("shutdown", p.shutdown)
		})
	}
}

// beginTogether is begin with eslint, whose library the project has as its own. The
// main file needs no parser but eslint's.
func beginTogether(t *testing.T, server string) *pair {
	program := lsptest.Require(t, "eslint")
	p := typeScript(server)
	p.files["b.ts"] = "import { add } from './a';\n\nadd(1, \"x\");\ndebugger;\n"
	p.files["eslint.config.js"] = "module.exports = [{ files: ['b.ts'], rules: { 'no-debugger': 'error' } }];\n"
	s := begin(t, p, "eslint")
	linkESLint(t, program, s.root)
	return &pair{
		story: *s,
		types: word{server, finding{3, "not assignable to parameter"}},
		lint:  word{"eslint", finding{4, "Unexpected 'debugger'"}},
	}
}

// linkESLint gives a project the library that comes with the server.
func linkESLint(t *testing.T, program, root string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(root, "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(lsptest.Library(t, program, "eslint"), filepath.Join(root, "node_modules", "eslint")); err != nil {
		t.Fatal(err)
	}
}

// of is the story of one of the two.
func (p *pair) of(w word) *story {
	s := p.story
	s.server = w.server
	return &s
}

// ask checks the main file, and wants to hear of both servers.
func (p *pair) ask(t *testing.T, milliseconds int) result.Check {
	t.Helper()
	result, err := api.Check.Do(context.Background(), p.engine, api.CheckRequest{Files: []string{p.main}, TimeoutMS: milliseconds, MaxBytes: -1})
	if err != nil {
		t.Fatal(err)
	}
	if f := result.Files[0]; len(f.Servers) != 2 {
		t.Fatalf("asked %+v, want two servers", f.Servers)
	}
	return result
}

// says wants these findings of a file, no other, and in this order.
func (p *pair) says(t *testing.T, f result.File, words ...word) {
	t.Helper()
	same := slices.EqualFunc(f.Diagnostics, words, func(d result.Diagnostic, w word) bool {
		return d.Server == w.server && d.Line == w.line && strings.Contains(d.Message, w.message)
	})
	if !same {
		t.Errorf("diagnostics %+v, want %v", f.Diagnostics, words)
	}
	for _, w := range words {
		if a := p.answer(f, w); a.Freshness != "fresh" {
			t.Errorf("%s: %s, %s", w.server, a.Freshness, a.Reason)
		}
	}
}

func (p *pair) answer(f result.File, w word) result.Answer {
	for _, a := range f.Servers {
		if a.Server == w.server {
			return a
		}
	}
	return result.Answer{}
}

// merged: both findings are in one answer, by line.
func (p *pair) merged(t *testing.T) {
	p.says(t, p.ask(t, 60_000).Files[0], p.types, p.lint)
}

// hangs: who hangs is a time-out and takes nothing from the other, who is asked
// meanwhile, but the verdict: that is not known. When it goes on, both are there again.
func (p *pair) hangs(t *testing.T, silent, other word) {
	s := p.of(silent)
	pids := s.tree(t)
	s.signal(t, syscall.SIGSTOP, pids...)
	p.touch(t)
	result := p.ask(t, 3_000)
	s.signal(t, syscall.SIGCONT, pids...)
	p.says(t, result.Files[0], other)
	p.missing(t, result, silent, "not checked")
	p.says(t, p.ask(t, 60_000).Files[0], p.types, p.lint)
}

// dies: who is killed before it answers takes nothing from the other. It is started
// again, or the answer says that it is gone.
func (p *pair) dies(t *testing.T, dead, other word) {
	s := p.of(dead)
	pid := s.process(t)
	pids := s.tree(t)
	s.signal(t, syscall.SIGSTOP, pids...)
	p.touch(t)
	answers := make(chan result.Check, 1)
	go func() {
		result, err := api.Check.Do(context.Background(), p.engine, api.CheckRequest{Files: []string{p.main}, TimeoutMS: 60_000, MaxBytes: -1})
		if err != nil {
			t.Error(err)
		}
		answers <- result
	}()
	lsptest.Eventually(t, 10*time.Second, func() bool { return s.process(t) == pid }, "%s is gone before it is killed", dead.server)
	s.signal(t, syscall.SIGKILL, pids...)
	result := <-answers
	if len(result.Files) != 1 {
		t.Fatalf("answer %+v", result)
	}
	if f := result.Files[0]; p.answer(f, dead).Freshness == "fresh" {
		p.says(t, f, p.types, p.lint)
	} else {
		p.says(t, f, other)
		p.missing(t, result, dead, "not available")
	}
	p.says(t, p.ask(t, 60_000).Files[0], p.types, p.lint)
}

// touch changes the main file, so that both have to look again.
func (p *pair) touch(t *testing.T) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(p.root, p.main))
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, p.main, string(content)+"\n")
}

// missing wants to be told that a server's word is not in the answer.
func (p *pair) missing(t *testing.T, result result.Check, w word, how string) {
	t.Helper()
	if a := p.answer(result.Files[0], w); a.Freshness == "fresh" || a.Freshness == "partial" || a.Freshness == "" {
		t.Errorf("%s is %+v", w.server, a)
	}
	if said := fmt.Sprintf("%s: %s: %s", p.main, w.server, how); !strings.Contains(render.Brief(&result), said) {
		t.Errorf("no %q in:\n%s", said, render.Brief(&result))
	}
	if result.Verdict != "new_errors" || !result.Incomplete {
		t.Errorf("verdict %s, incomplete: %t; want the error of the other to stand, and to be told that one of two did not answer", result.Verdict, result.Incomplete)
	}
}

// edit: what mends one finding and leaves the other is said to do that.
func (p *pair) edit(t *testing.T) {
	content := "import { add } from './a';\n\nadd(1, 2);\ndebugger;\n"
	req := api.EditRequest{Edits: []api.FileEdit{{File: p.main, Content: &content}}}
	req.TimeoutMS = 60_000
	result, err := api.EditFiles.Do(context.Background(), p.engine, req)
	if err != nil {
		t.Fatal(err)
	}
	f := result.Files[0]
	if result.Verdict != "baseline_error" || f.Standing != 1 || len(f.Fixed) != 1 || f.Fixed[0].Server != p.types.server {
		t.Errorf("verdict %s, %d remain, fixed %+v; want the lint to stay and the type to be mended", result.Verdict, f.Standing, f.Fixed)
	}
	p.says(t, p.ask(t, 60_000).Files[0], p.lint)
}
