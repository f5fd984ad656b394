package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lspine/lspine/bench/project"
	"github.com/lspine/lspine/bench/raw"
)

// A cost is what finding something out costs a model, in bytes that it reads.
type cost struct {
	what string
	// answer is LSPine's text, grep the lines that a search for the name prints, read
	// the files that hold what the answer tells.
	answer, grep, read int
}

// A ledger is the section about costs.
type ledger struct {
	circumstances
	rows []cost
}

// answers measures the section that compares answers with grep and with reading files.
func answers(ctx context.Context, o options) (string, []error) {
	l := ledger{circumstances: circumstances{command: o.command}}
	l.visit(ctx, o.specs, project.Scenarios(), func(spec raw.Spec, scenario project.Scenario) error {
		if spec.ID != "gopls" || !scenario.Navigable() {
			return nil
		}
		rows, err := costs(ctx, spec, scenario)
		l.rows = append(l.rows, rows...)
		return err
	})
	return l.markdown(), l.failures
}

func costs(ctx context.Context, spec raw.Spec, scenario project.Scenario) (rows []cost, err error) {
	dir, err := os.MkdirTemp("", "lspine-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	written, err := scenario.Write(ctx, filepath.Join(dir, "LSPine"))
	if err != nil {
		return nil, err
	}
	symbol, err := scenario.Symbol(written)
	if err != nil {
		return nil, err
	}
	subject := &lspine{id: spec.ID}
	if err := subject.Start(ctx, written.Root); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, subject.Stop(context.WithoutCancel(ctx))) }()
	remote, err := startMCP(subject.engine, "default")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remote.stop()) }()
	return asked{remote, written.Root, symbol}.all()
}

// asked are questions about a symbol of a project.
type asked struct {
	remote *mcpNavigator
	root   string
	symbol project.Symbol
}

func (a asked) all() (rows []cost, err error) {
	declared, err := selector(a.root, a.symbol.Declared)
	if err != nil {
		return nil, err
	}
	file, _, _ := strings.Cut(declared.At, ":")
	name := a.symbol.Name
	matches, err := grep(a.root, `\b`+regexp.QuoteMeta(name)+`\b`)
	if err != nil {
		return nil, err
	}
	declarations, err := grep(filepath.Join(a.root, filepath.FromSlash(file)), `^(func|type|var|const)\b|^\t[A-Z]\w*.* [=(]|^\t[A-Z]\w* `)
	if err != nil {
		return nil, err
	}
	for _, q := range []struct {
		what, tool string
		arguments  map[string]any
		grep       int
	}{
		{"where " + name + " is declared", "definition", map[string]any{"at": declared.At}, matches},
		{"every use of " + name, "references", map[string]any{"at": declared.At, "source_lines": false}, matches},
		{"every use of " + name + ", with its line", "references", map[string]any{"at": declared.At}, matches},
		{"who calls " + name, "hierarchy", map[string]any{"at": declared.At}, matches},
		{"what a change of " + name + " reaches", "impact", map[string]any{"symbols": []string{declared.At}}, matches},
		{"what " + file + " declares", "symbols", map[string]any{"file": file}, declarations},
		{"the text of " + name, "source", map[string]any{"at": declared.At}, matches},
		{"type and documentation of " + name, "inspect", map[string]any{"at": declared.At}, matches},
	} {
		result, err := a.remote.call(q.tool, q.arguments)
		if err != nil {
			return nil, err
		}
		read, err := a.read(&result, file)
		if err != nil {
			return nil, err
		}
		rows = append(rows, cost{q.what, len(result.text()), q.grep, read})
	}
	return rows, nil
}

// pathIn is a file in a result.
var pathIn = regexp.MustCompile(`"path":"([^"]+)"`)

// read returns the size of the files that an answer names, or of the symbol's own.
func (a asked) read(result *called, own string) (int, error) {
	sizes := make(map[string]int)
	for _, m := range pathIn.FindAllStringSubmatch(string(result.Structured), -1) {
		sizes[m[1]] = 0
	}
	if len(sizes) == 0 {
		sizes[own] = 0
	}
	total := 0
	for name := range sizes {
		info, err := os.Stat(filepath.Join(a.root, filepath.FromSlash(name)))
		if err != nil {
			return 0, err
		}
		total += int(info.Size())
	}
	return total, nil
}

// grep returns how much grep -rn prints for a pattern, of the Go files in a folder, or of
// one file.
func grep(root, pattern string) (printed int, err error) {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return 0, err
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		for i, line := range strings.Split(string(text), "\n") {
			if wanted.MatchString(line) {
				printed += len(fmt.Sprintf("%s:%d:%s\n", name, i+1, line))
			}
		}
		return err
	})
	return printed, err
}

func (l ledger) markdown() string {
	var b strings.Builder
	b.WriteString("Bytes that a model reads to find something out in x/tools, with gopls: the text of LSPine's answer (default profile); " +
		"what `grep -rnw NAME --include=*.go .` prints (for what a file declares: the lines that look like declarations), which does not distinguish one Load from another; and the files that contain the information in the answer.\n\n" +
		"| what | LSPine | grep | read |\n|---|---:|---:|---:|\n")
	for _, r := range l.rows {
		fmt.Fprintf(&b, "| %s | %d | %d (%s) | %d (%s) |\n", r.what, r.answer, r.grep, times(r.grep, r.answer), r.read, times(r.read, r.answer))
	}
	l.end(&b)
	return b.String()
}

// times says how many times as much something is.
func times(n, of int) string { return fmt.Sprintf("%.1f×", float64(n)/float64(max(of, 1))) }
