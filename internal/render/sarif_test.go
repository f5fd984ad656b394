package render

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// machines is a check with all that forms for programs must tell apart.
func machines() *result.Check {
	fresh := []result.Answer{{Server: "gopls", Freshness: "fresh"}}
	return &result.Check{
		Root: "/w/my app",
		Files: []result.File{
			{Path: "src/a b.go", Baseline: "head", Servers: fresh, Diagnostics: []result.Diagnostic{
				{Line: 3, Column: 5, EndLine: 3, EndColumn: 9, Severity: "error", Code: "MissingReturn", Source: "compiler", Message: "missing return\n100% sure", Server: "gopls", New: true},
				{Line: 7, Column: 1, EndLine: 9, EndColumn: 2, Severity: "warning", Source: "vet", Message: "unreachable", Server: "gopls"},
			}},
			{Path: "src/b.go", Servers: fresh, Diagnostics: []result.Diagnostic{
				{Line: 1, Column: 1, EndLine: 1, EndColumn: 2, Severity: "hint", Code: "MissingReturn", Source: "compiler", Message: "again", Server: "gopls"},
			}},
			{Path: "clean.ts", Diagnostics: []result.Diagnostic{}, Servers: []result.Answer{{Server: "typescript", Freshness: "fresh"}, {Server: "eslint", Freshness: "unavailable", Reason: "eslint not found in PATH"}}},
			{Path: "late.ts", Diagnostics: []result.Diagnostic{}, Servers: []result.Answer{{Server: "typescript", Freshness: "timeout", Reason: "no answer in time", WaitedMS: 3000}}},
			{Path: "x.unknown", Diagnostics: []result.Diagnostic{}},
			{Path: "big.go", Diagnostics: []result.Diagnostic{}, Error: &result.Error{Kind: "too_large", Message: "big.go: not checked: too large"}},
		},
		Unknown: []string{"what is wrong elsewhere"},
		Others:  []result.File{{Path: "/outside/c.go", Diagnostics: []result.Diagnostic{{Line: 0, Column: 0, EndLine: 0, EndColumn: 0, Severity: "info", Message: "odd", Server: "gopls"}}}},
	}
}

// A log is SARIF 2.1.0 by its published schema, gives each finding its place and
// rule, and is no successful run if a file got no complete answer.
func TestSARIF(t *testing.T) {
	var text strings.Builder
	check := machines()
	check.Others[0].Path = lsptest.Rooted("/outside/c.go")
	if err := SARIF(check, &text, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	golden(t, "check_sarif", strings.ReplaceAll(text.String(), "file:///"+filepath.ToSlash(lsptest.Rooted("/")), "file:///"))
	run := valid(t, text.String()).Runs[0]
	if len(run.Results) != 4 || len(run.Tool.Driver.Rules) != 3 || *run.Invocations[0].ExecutionSuccessful {
		t.Errorf("%d results, %d rules, successful %t", len(run.Results), len(run.Tool.Driver.Rules), *run.Invocations[0].ExecutionSuccessful)
	}
	text.Reset()
	if err := SARIF((&result.Check{Root: "/w", Files: []result.File{}}), &text, "dev"); err != nil {
		t.Fatal(err)
	}
	if run = valid(t, text.String()).Runs[0]; len(run.Results) != 0 || !*run.Invocations[0].ExecutionSuccessful {
		t.Errorf("nothing to say:\n%s", text.String())
	}
}

// valid reads a log and holds it against the schema.
func valid(t *testing.T, text string) *sarif.Report {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(new(sarif.Report)); err != nil {
		t.Fatal(err)
	}
	log, err := sarif.FromString(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range log.Runs { // what is left out is written by the library as something wrong
		run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\n"}
	}
	if err := log.Validate(); err != nil {
		t.Fatal(err)
	}
	return log
}

// Annotations stand at their lines, whatever is in names and messages; what was not
// checked is one, too.
func TestGitHub(t *testing.T) {
	var text strings.Builder
	if err := GitHub(machines(), &text); err != nil {
		t.Fatal(err)
	}
	golden(t, "check_github", text.String())
}

// Each form for programs says of the same findings that they are new, older, or not known to be either; annotations leave out older ones where
// these do not count, as the text does.
func TestFormsAgreeOnWhatIsNew(t *testing.T) {
	finding := func(message string, isNew bool) result.Diagnostic {
		return result.Diagnostic{Line: 1, Column: 1, EndLine: 1, EndColumn: 2, Severity: "error", Message: message, Server: "s", New: isNew}
	}
	fresh := []result.Answer{{Server: "s", Freshness: "fresh"}}
	check := result.Check{Root: "/w", Files: []result.File{
		{Path: "a", Baseline: "head", Servers: fresh, Diagnostics: []result.Diagnostic{finding("new", true), finding("older", false)}},
		{Path: "b", Baseline: "head", Servers: fresh, Doubtful: true, Diagnostics: []result.Diagnostic{finding("new", true), finding("doubtful", false)}},
		{Path: "c", Baseline: "none", Servers: fresh, Diagnostics: []result.Diagnostic{finding("counts as new", true)}},
		{Path: "d", Baseline: "none", Servers: fresh, Doubtful: true, Diagnostics: []result.Diagnostic{finding("doubtful", false)}},
	}}
	for older, want := range map[bool]string{
		false: "error a s::new\nerror b s::new\nwarning b s (not known whether new)::doubtful\n" +
			"error c s (not known whether new)::counts as new\nwarning d s (not known whether new)::doubtful\n",
		true: "error a s::new\nerror a s (older)::older\nerror b s::new\nerror b s (not known whether new)::doubtful\n" +
			"error c s (not known whether new)::counts as new\nerror d s (not known whether new)::doubtful\n",
	} {
		check.CountOlder = older
		var text strings.Builder
		if err := GitHub(&check, &text); err != nil {
			t.Fatal(err)
		}
		got := strings.NewReplacer("::error file=", "error ", "::warning file=", "warning ", ",line=1,endLine=1,col=1,endColumn=2,title=", " ").Replace(text.String())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("annotations, older ones count: %t (-want +got):\n%s", older, diff)
		}
	}
	var text strings.Builder
	if err := SARIF(&check, &text, "dev"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range valid(t, text.String()).Runs[0].Results {
		state := "not said"
		if r.BaselineState != nil {
			state = *r.BaselineState
		}
		got = append(got, *r.Message.Text+": "+state)
	}
	want := []string{"new: new", "older: unchanged", "new: new", "doubtful: not said", "counts as new: not said", "doubtful: not said"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("SARIF (-want +got):\n%s", diff)
	}
}
