package api

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/lspine/lspine/internal/lsptest"
)

//go:generate go test . -run TestReferenceIsFresh -update

var update = flag.Bool("update", false, "write the generated pages")

const referenceFolder = "../../docs/reference"

// The reference of the operations, of what they answer, and the schemas are what the
// catalog says.
func TestReferenceIsFresh(t *testing.T) {
	operations, results := reference()
	lsptest.Fresh(t, filepath.Join(referenceFolder, "operations.md"), operations, *update)
	lsptest.Fresh(t, filepath.Join(referenceFolder, "results.md"), results, *update)
	folder := filepath.Join(referenceFolder, "schemas")
	if *update {
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var want []string
	for _, op := range Operations() {
		name := op.Name + ".json"
		lsptest.Fresh(t, filepath.Join(folder, name), schemasOf(t, op), *update)
		want = append(want, name)
	}
	var got []string
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s holds %q, want %q; run: make generate", folder, got, want)
	}
}

// People read the page of the operations from the first line to the last: it stays short.
func TestReferenceIsShort(t *testing.T) {
	operations, _ := reference()
	if most := 42 << 10; len(operations) > most {
		t.Errorf("operations.md has %d bytes, more than %d", len(operations), most)
	}
}

// schemasOf returns the JSON schemas of an operation's request and result.
func schemasOf(t *testing.T, op Operation) string {
	text, err := json.MarshalIndent(struct {
		Request *jsonschema.Schema `json:"request"`
		Result  *jsonschema.Schema `json:"result"`
	}{op.Input(), op.Output()}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// reference returns the pages of the operations and of their results.
func reference() (operations, results string) {
	var b strings.Builder
	b.WriteString("# Operations\n\n" +
		"Everything LSPine can do: the tools of `lspine mcp`, the commands of the command line and their JSON are\n" +
		"made of these operations. Generated from the catalog in `internal/api` (`make generate`). Results are described in\n" +
		"[results.md](results.md); the JSON schemas of requests and results are in [schemas](schemas).\n\n" +
		"Class: read only reads, edit may write files of the workspace, execute runs programs, admin starts, stops or\n" +
		"reconfigures servers. A rule of your policy that names an operation also holds for those that contain it.\n" +
		"A symbol is named either by `at` alone (`src/a.go:42:7`, `src/a.go:42 Load`, `src/a.go Config.Load`,\n" +
		"`Config.Load`, with `[1]` for the second overload), or by the separate fields.\n")
	var types []reflect.Type
	for _, op := range Operations() {
		fmt.Fprintf(&b, "\n## %s\n\n%s (%s)\n", op.Name, op.Doc, op.Class)
		if parts := op.Parts(json.RawMessage("{}")); len(parts) > 0 {
			fmt.Fprintf(&b, "\nContains: %s\n", strings.Join(parts, ", "))
		}
		arguments(&b, op.Input())
		answer := reflect.TypeOf(op.New()).Elem()
		fmt.Fprintf(&b, "\nResult: %s\n", linkTo(answer, "results.md"))
		types = collect(types, answer)
	}
	return b.String(), resultPage(types)
}

// collect adds a struct and those in its fields to types, each once.
func collect(types []reflect.Type, t reflect.Type) []reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || slices.Contains(types, t) {
		return types
	}
	types = append(types, t)
	for _, f := range fieldsOf(t) {
		types = collect(types, f.Type)
	}
	return types
}

// fieldsOf returns the fields of a struct that its JSON has, those of embedded structs in
// their place.
func fieldsOf(t reflect.Type) (fields []reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous && f.Tag.Get("json") == "":
			fields = append(fields, fieldsOf(f.Type)...)
		case f.IsExported() && f.Tag.Get("json") != "-":
			fields = append(fields, f)
		}
	}
	return fields
}

const whatIsNew = `
## What is new

A finding is new if the text from before does not have one of the same code at its place, wherever its lines are now, whatever words the
server chose (a type checker prints one type in two ways); where the text was rewritten, or a server gives no codes, the message
has to be the same. Which text that is depends on who asks. It does not depend on what was asked or told before, nor on how long
a server took: the same question about the same texts has the same answer.

| who asks | the text from before | listed | counted | ` + "`new_errors`" + `, exit code 1 |
|---|---|---|---|---|
| ` + "`lspine check`" + `, with names or without | HEAD | what is wrong in these files, older errors marked, and what their changes since HEAD broke in others | older errors of other files (` + "`--all-errors`" + ` lists them) | an error in these files, or one that their changes caused elsewhere |
| ` + "`lspine check --since REV`" + ` | REV | what is new | what is older | something new |
| ` + "`lspine check`" + ` outside of git | none | what is wrong in these files | errors of other files | an error in these files |
| a session's ` + "`check`" + ` (MCP, the service) | the commit that was checked out when the session began; outside of git, what servers said when it first asked | what is new since then; what the session was told already is said to remain | what is older | something new since then, told already or not |
| ` + "`edit`, `rename`, `simulate`" + ` and others that change files | before this change | what this change made, in its files and elsewhere | what is older; what it fixed | this change made an error |
| a hook after a tool | before that tool | what the tool made and the agent was not told yet | other files that are broken now, by name | – |
| a hook at the end of a turn | before the session's first change of each file | all that the session broke and that is still broken, and what is not known yet | – | – |

Where it is not known what was wrong before, an answer says so. If a server was asked and did not answer in time, what it finds in other files is
neither new nor old, and the verdict is ` + "`unknown`" + `. So it is if a server judges other files only as they are on disk (cargo, jdtls), did
not say earlier what was wrong with a file, and the file has no word of a line that changed; if it has one, what is wrong there counts as new,
with ` + "`baseline: none`" + `. The same holds for a file that was asked about and did not change, where something changed that decides how it
is judged and that servers cannot be shown as it was (a manifest, a configuration, a file that others include by its name);
if the file changed as well, what is wrong with it counts as new, with ` + "`baseline: none`" + `. A comment in such a file, or what a package only asks for, changes nothing. Of the users of a file that is gone,
what misses it is new, and of other errors nothing is known. If a file uses code that git ignores (generated code), and that may have been
written since the commit, nobody knows whether its errors are older, unless they are new for another reason: such a file is ` + "`doubtful`" + `,
and the verdict is ` + "`unknown`" + ` where only what is new counts. The text calls errors new or older only in files that were compared
with something, whichever other files are in the answer. Older errors of other files are not counted where the texts prove that a
change can break none.
`

func resultPage(types []reflect.Type) string {
	var b strings.Builder
	b.WriteString("# Results\n\n" +
		"The results of [operations](operations.md), in Go (`internal/result`) and as JSON. Lines and columns are 1-based;\n" +
		"columns count UTF-16 code units. A field marked `?` is left out if it would be empty.\n" +
		"Generated (`make generate`).\n" + whatIsNew)
	for _, t := range types {
		fmt.Fprintf(&b, "\n## %s\n\n| field | type | |\n|---|---|---|\n", t.Name())
		for _, f := range fieldsOf(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				name = f.Name
			}
			if strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero") {
				name += "?"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, linkTo(f.Type, ""), strings.ReplaceAll(f.Tag.Get("jsonschema"), "|", `\|`))
		}
	}
	return b.String()
}

// linkTo names a type as JSON has it, with a link to the table of a struct.
func linkTo(t reflect.Type, page string) string {
	switch t.Kind() {
	case reflect.Pointer:
		return linkTo(t.Elem(), page)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "any"
		}
		return "array of " + linkTo(t.Elem(), page)
	case reflect.Map:
		return "object of " + linkTo(t.Elem(), page)
	case reflect.Struct:
		return fmt.Sprintf("[%s](%s#%s)", t.Name(), page, strings.ToLower(t.Name()))
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Interface:
		return "any"
	}
	return "integer"
}

func arguments(b *strings.Builder, s *jsonschema.Schema) {
	if len(s.Properties) == 0 {
		b.WriteString("\nNo arguments.\n")
		return
	}
	b.WriteString("\n| argument | type | |\n|---|---|---|\n")
	for _, name := range propertyOrder(s) {
		p := s.Properties[name]
		kind := p.Type
		if kind == "array" && p.Items != nil && p.Items.Type != "" {
			kind = "array of " + p.Items.Type
		}
		text := p.Description
		if slices.Contains(s.Required, name) {
			text = strings.TrimSpace("**needed** " + text)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, kind, strings.ReplaceAll(text, "|", `\|`))
	}
}

// propertyOrder returns the properties in the order of the Go fields.
func propertyOrder(s *jsonschema.Schema) []string {
	if len(s.PropertyOrder) == len(s.Properties) {
		return s.PropertyOrder
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
