package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An edit is a part of what makes a mutant a choice of the running program: text that is
// put in at a place. ID in it stands for the mutant's number.
type edit struct {
	side side
	at   int // in bytes
	line int // counts from 1
	cut  int // how many bytes are replaced
	text string
}

// side orders the edits of one place: what ends there comes before what begins there.
type side int

const (
	ends side = iota
	instead
	begins
)

// A program is the tests of a folder with all of its mutants in it. The environment
// chooses which of them is alive; see choice.
type program struct {
	path string
	ids  map[place]int
}

// A place names a mutant within a folder.
type place struct {
	file string
	at   int
	what string
}

func (m mutant) place() place { return place{m.file, m.at, m.what} }

// choice is the environment variable that chooses a mutant by its number.
const choice = "LSPINE_MUTANT"

// choosingFile is the file with choices. It is added to the folder of the mutants.
const choosingFile = "mutants_in_one.go"

// choices are what the edits call.
const choices = `package %s

import (
	mutantCmp "cmp"
	mutantOS "os"
	mutantStrconv "strconv"
)

var mutantAlive, _ = mutantStrconv.Atoi(mutantOS.Getenv("` + choice + `"))

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func mutantIs(id int) bool { return id == mutantAlive }

func mutantLess[T mutantCmp.Ordered](id int, a, b T) bool    { return a < b || mutantIs(id) && a == b }
func mutantAtMost[T mutantCmp.Ordered](id int, a, b T) bool  { return a < b || !mutantIs(id) && a == b }
func mutantGreater[T mutantCmp.Ordered](id int, a, b T) bool { return a > b || mutantIs(id) && a == b }
func mutantAtLeast[T mutantCmp.Ordered](id int, a, b T) bool { return a > b || !mutantIs(id) && a == b }

func mutantAnd(id int, a bool, b func() bool) bool {
	if mutantIs(id) {
		return a || b()
	}
	return a && b()
}

func mutantOr(id int, a bool, b func() bool) bool {
	if mutantIs(id) {
		return a && b()
	}
	return a || b()
}

func mutantPlus[T mutantNumber](id int, a, b T) T {
	if mutantIs(id) {
		return a - b
	}
	return a + b
}

func mutantMinus[T mutantNumber](id int, a, b T) T {
	if mutantIs(id) {
		return a + b
	}
	return a - b
}

func mutantMore[T mutantNumber](id int, a T) T {
	if mutantIs(id) {
		return a + 1
	}
	return a
}
`

// inOne compiles the tests of a folder with as many of its mutants as one program can
// have, to a file in dir. Those that it has not are not in its ids.
func inOne(ctx context.Context, folder, dir string) (program, error) {
	sources := make(map[string][]byte)
	var mutants []mutant
	files, err := productFiles(folder)
	if err != nil {
		return program{}, err
	}
	for _, file := range files {
		if sources[file], err = os.ReadFile(file); err != nil {
			return program{}, err
		}
		list, err := mutate(file, sources[file])
		if err != nil {
			return program{}, err
		}
		mutants = append(mutants, list...)
	}
	// A mutant within another one is made after it; the edits need them in this order.
	slices.SortStableFunc(mutants, func(a, b mutant) int { return a.made - b.made })
	for len(mutants) > 0 {
		p, out, err := compile(ctx, folder, dir, sources, mutants)
		if err == nil {
			return p, nil
		}
		before := len(mutants)
		mutants = withoutRejected(mutants, out)
		if ctx.Err() != nil || len(mutants) == before {
			return program{}, fmt.Errorf("the mutants of %s in one program: %w", folder, errors.Join(err, ctx.Err()))
		}
	}
	return program{path: filepath.Join(dir, "none")}, nil
}

// productFiles returns the files of a folder that are mutated, sorted.
func productFiles(folder string) (files []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if !e.IsDir() && isProduct(e.Name()) {
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	return files, err
}

// compile builds the program that has these mutants. If it cannot be built, what the
// compiler printed is returned with the error.
func compile(ctx context.Context, folder, dir string, sources map[string][]byte, mutants []mutant) (program, []byte, error) {
	p := program{path: filepath.Join(dir, "mutants.test"), ids: make(map[place]int)}
	edits := make(map[string][]edit)
	for i, m := range mutants {
		p.ids[m.place()] = i + 1
		edits[m.file] = append(edits[m.file], m.numbered(i+1)...)
	}
	altered := make(map[string][]byte)
	var name string
	for file, source := range sources {
		var err error
		if name, err = packageName(file, source); err != nil {
			return program{}, nil, err
		}
		altered[file] = edited(source, edits[file])
	}
	altered[filepath.Join(folder, choosingFile)] = fmt.Appendf(nil, choices, name)
	out, err := compileTests(ctx, folder, dir, altered, p.path)
	return p, out, err
}

// numbered returns the edits that make the mutant the choice with this number.
func (m mutant) numbered(id int) []edit {
	edits := slices.Clone(m.edits)
	for i := range edits {
		edits[i].text = strings.ReplaceAll(edits[i].text, "ID", strconv.Itoa(id))
	}
	return edits
}

// packageName returns the name in the package clause of a file.
func packageName(file string, source []byte) (string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	return parsed.Name.Name, nil
}

// edited returns a source with the edits of all of its mutants. Those of a mutant that
// is within another one have to come after the other's.
func edited(source []byte, edits []edit) []byte {
	type numbered struct {
		edit
		n int
	}
	var list []numbered
	for n, e := range edits {
		if e.side == ends {
			n = -n // what begins first ends last
		}
		list = append(list, numbered{e, n})
	}
	slices.SortStableFunc(list, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.side, b.side), cmp.Compare(a.n, b.n))
	})
	var out []byte
	from := 0
	for _, e := range list {
		out = append(out, source[from:e.at]...)
		out = append(out, e.text...)
		from = e.at + e.cut
	}
	return append(out, source[from:]...)
}

// rejected is a message of the compiler: file, line.
var rejected = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `)

// withoutRejected leaves out the mutants that the compiler rejects: those on the lines
// that it names, or on the last line before that has any ("missing return").
func withoutRejected(mutants []mutant, out []byte) []mutant {
	for _, match := range rejected.FindAllSubmatch(out, -1) {
		file := filepath.Base(string(match[1]))
		line, _ := strconv.Atoi(string(match[2]))
		nearest := 0
		for _, m := range mutants {
			for _, e := range m.edits {
				if filepath.Base(m.file) == file && e.line <= line {
					nearest = max(nearest, e.line)
				}
			}
		}
		mutants = slices.DeleteFunc(mutants, func(m mutant) bool {
			return filepath.Base(m.file) == file && slices.ContainsFunc(m.edits, func(e edit) bool { return e.line == nearest })
		})
	}
	return mutants
}
