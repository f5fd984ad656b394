package archtest

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated page")

const (
	requirementsList = "testdata/requirements.tsv"
	requirementsPage = "docs/reference/requirements.md"
)

// A requirement is one of the host's whose service this product stands in for.
type requirement struct {
	id, meaning string
	// inapplicable says why no test can show it here, "" if one must.
	inapplicable string
}

var requirementID = regexp.MustCompile(`\b(?:REQ-[A-Z]+-\d+|BR-\d+|EC-\d+|(?:INV-)?LSP-\d+|LSP-FH-\d+|PERM-\d+)\b`)

// readRequirements reads the list, a line each: id, meaning, why it does not apply.
func readRequirements(t *testing.T) (list []requirement) {
	t.Helper()
	text, err := os.ReadFile(requirementsList)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 || requirementID.FindString(parts[0]) != parts[0] {
			t.Fatalf("%s: %q is not an id, a meaning and a reason", requirementsList, line)
		}
		list = append(list, requirement{parts[0], parts[1], parts[2]})
	}
	return list
}

// taggedTests returns the tests by the requirements that their comments name, in a paragraph
// "Requirement: …".
func taggedTests(t *testing.T, root string) map[string][]string {
	t.Helper()
	tests := make(map[string][]string)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			_, tags, tagged := strings.Cut(f.Doc.Text(), "\nRequirement: ")
			if !tagged {
				continue
			}
			for _, id := range requirementID.FindAllString(tags, -1) {
				tests[id] = append(tests[id], filepath.ToSlash(dir)+" "+f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

// Every requirement of a host whose part this plays has a test that names it, or a reason
// why it does not apply; the page that says which is as committed.
func TestRequirementsHaveTests(t *testing.T) {
	const root = "../.."
	list, tests := readRequirements(t), taggedTests(t, root)
	counts := make(map[string]int)
	var page strings.Builder
	page.WriteString("# Requirements of hosts, and what shows them\n\n" +
		"Written by `go test ./internal/archtest -update`. REQ-* are the requirements of LLxprt's LSP service, BR-*\n" +
		"the rules and EC-* the edge cases of its domain model; `lspine service` and package `hostclient` stand in for it.\n" +
		"LSP-*, LSP-FH-* and INV-LSP-* are the principles, failures and invariants of Syndicate Code's integration, as far\n" +
		"as they are shown; PERM-* are the rules of permission in Opta's plan, numbered here. A test that is named here has\n" +
		"the id in its comment, and would fail without what it says.\n\n| id | what | tests |\n|---|---|---|\n")
	known := make(map[string]bool)
	for _, r := range list {
		known[r.id] = true
		counts[strings.SplitN(r.id, "-", 2)[0]]++
		shown := r.inapplicable
		switch has := len(tests[r.id]) > 0; {
		case has && shown != "":
			t.Errorf("%s does not apply (%s), and has tests", r.id, shown)
		case !has && shown == "":
			t.Errorf("%s has no test: %s", r.id, r.meaning)
		case has:
			names := slices.Sorted(slices.Values(tests[r.id]))
			shown = strings.Join(slices.Compact(names), "<br>")
		default:
			shown = "does not apply: " + shown
		}
		fmt.Fprintf(&page, "| %s | %s | %s |\n", r.id, strings.ReplaceAll(r.meaning, "|", `\|`), shown)
	}
	for _, id := range slices.Sorted(maps.Keys(tests)) {
		if !known[id] {
			t.Errorf("%s of %v is not in %s", id, tests[id], requirementsList)
		}
	}
	if counts["REQ"] != 128 || counts["BR"] != 92 || counts["EC"] != 52 {
		t.Errorf("there are %v requirements", counts)
	}
	file := filepath.Join(root, filepath.FromSlash(requirementsPage))
	if *update {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if committed, err := os.ReadFile(file); err != nil || string(committed) != page.String() {
		t.Errorf("%s is not fresh (%v): go test ./internal/archtest -update", requirementsPage, err)
	}
}
