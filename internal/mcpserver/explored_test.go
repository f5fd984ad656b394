package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
)

// Whatever is known of a symbol, or of what depends on it, is told by the names of the full profile; what is not
// known is an empty list.
func TestShapesOfWhatIsExplored(t *testing.T) {
	head := result.Head{State: []string{"toy is loading"}, Cut: "the rest"}
	source := &result.Source{Head: result.Head{Cut: "3 lines"}, Symbol: "Load", Kind: "function", Path: "a.toy", Line: 3, EndLine: 5, Code: "def Load"}
	user := result.User{Name: "main", Path: "m.toy", Line: 2, Uses: 3}
	tester := result.User{Name: "TestLoad", Path: "m_test.toy", Line: 7}
	finding := result.FileFinding{File: "a.toy", Diagnostic: result.Diagnostic{Severity: "error", Line: 3, Column: 4, Message: "wrong"}}
	other := result.FileFinding{File: "b.toy", Diagnostic: result.Diagnostic{Severity: "error", Line: 5, Column: 6, Message: "gone"}}
	told, gone := introduced{"a.toy", 3, 4, "wrong"}, introduced{"b.toy", 5, 6, "gone"}
	session := result.SimulationSession{Session: "s1", Status: "evaluated", Steps: 4}
	wrong := &result.Error{Kind: result.Argument, Message: "no"}
	commit := &result.Edit{Changes: []result.Edited{{Path: "a.toy"}, {Path: "b.toy"}}}
	commit.Verdict = "clean"
	problem := result.Finding{Path: "a.toy", Line: 1}
	for name, c := range map[string]struct {
		shape *shape
		given result.Result
		want  any
	}{
		"a symbol": {explorationShape, &result.Inspection{
			Head: head, Hover: "func Load()", Source: source, Tests: 2,
			Callers:    &result.Hierarchy{Total: 7, Nodes: []result.Node{{Name: "main", Kind: "function", Path: "m.toy", Line: 2, Column: 1}}},
			References: &result.Places{Total: 9, Files: []result.PlaceFile{{Path: "m.toy"}, {Path: "n.toy"}}},
		}, exploration{
			Head: head, Type: "func Load()", Source: symbolSource{source.Head, "Load", "function", "a.toy", 3, 5, "def Load"},
			Callers: []party{{"main", "function", location{File: "m.toy", Line: 2, Column: 1}}}, CallersCount: 7, References: usage{9, []string{"m.toy", "n.toy"}}, TestCallers: 2,
		}},
		"nothing of a symbol": {explorationShape, &result.Inspection{}, exploration{Callers: []party{}, References: usage{TopFiles: []string{}}}},
		"dependants": {impactShape, &result.Impact{
			Head: head, Changed: []string{"a.toy"}, Total: 5, References: 6, Tests: 7, TestFiles: []string{"m_test.toy"},
			Symbols: []result.ImpactSymbol{
				{Name: "Load", Kind: "function", At: "a.toy:3:5", Risk: "high", Why: "many", Users: []result.User{user}, TestUsers: []result.User{tester}, Transitive: []result.User{tester, user}},
				{Name: "Save", Kind: "method", At: "a.toy:9:5", Risk: "unknown", Failed: "it timed out"},
			},
		}, blast{
			Head: head, ChangedFiles: []string{"a.toy"}, Changed: []string{"Load", "Save"}, Affected: []affected{
				{"Load", "function", "a.toy:3:5", "high", "many", "", []result.User{tester}, []result.User{user}, []result.User{tester, user}},
				{"Save", "method", "a.toy:9:5", "unknown", "", "it timed out", []result.User{}, []result.User{}, nil},
			}, TestFiles: []string{"m_test.toy"}, NonTests: []result.User{user}, Summary: "5 symbols, 6 references, 7 in tests",
		}},
		"no dependants": {impactShape, &result.Impact{}, blast{
			ChangedFiles: []string{}, Changed: []string{}, Affected: []affected{}, TestFiles: []string{}, NonTests: []result.User{}, Summary: "0 symbols, 0 references, 0 in tests",
		}},
		"an evaluation": {evaluationShape, &result.Simulation{Head: head, SimulationSession: session, Evaluation: &result.Evaluation{
			Scope: "file", Verdict: "new_errors", Confidence: result.LowConfidence, Introduced: []result.FileFinding{finding}, Resolved: []result.FileFinding{other}, NetDelta: 3, TookMS: 8, Unknown: []string{"c.toy"},
		}}, evaluation{head, "s1", "new_errors", []introduced{told}, []introduced{gone}, 3, "file", "low", true, 8, []string{"c.toy"}}},
		"no evaluation": {evaluationShape, &result.Simulation{}, evaluation{Introduced: []introduced{}, Resolved: []introduced{}}},
		"a chain": {chainShape, &result.Simulation{Head: head, SimulationSession: session, Chain: &result.Chain{SafeThrough: 1, CumulativeDelta: 2, Steps: []result.ChainStep{
			{Step: 1, NetDelta: 2, Introduced: []result.FileFinding{finding}, Verdict: "new_errors", Confidence: "high"}, {Step: 2, Error: wrong},
		}}}, chain{head, "s1", []chainStep{{1, 2, []introduced{told}, "new_errors", "high", nil}, {Step: 2, Introduced: []introduced{}, Error: wrong}}, 1, 2}},
		"no chain": {chainShape, &result.Simulation{SimulationSession: session}, chain{Session: "s1", Steps: []chainStep{}}},
		"a commit": {committedShape, &result.Simulation{Head: head, SimulationSession: session, Commit: commit}, committed{head, "s1", "evaluated", []string{"a.toy", "b.toy"}, map[string]string{}, "clean"}},
		"a patch": {committedShape, &result.Simulation{SimulationSession: session, Texts: []result.FileText{{Path: "a.toy", Text: "x"}, {Path: "b.toy"}}}, committed{
			Session: "s1", Status: "evaluated", Written: []string{}, Patch: map[string]string{"a.toy": "x", "b.toy": ""},
		}},
		"a step":         {simulatedShape, &result.Simulation{Head: head, SimulationSession: session}, simulated{head, "s1", true, 4}},
		"a session":      {sessionShape, &result.Simulation{Head: head, SimulationSession: session}, simulationSession{head, "s1", "evaluated"}},
		"a build":        {buildShape, &result.Build{Head: head, Success: true, Problems: []result.Finding{problem}, Output: "ok"}, built{head, true, []result.Finding{problem}, "ok"}},
		"tests":          {testedShape, &result.Build{Head: head, Failed: []string{"TestLoad"}, Problems: []result.Finding{problem}, Output: "no"}, tested{head, false, []string{"TestLoad"}, []result.Finding{problem}, "no"}},
		"passed tests":   {testedShape, &result.Build{Success: true}, tested{Passed: true, Failures: []string{}}},
		"completions":    {completionsShape, &result.Completions{Head: head, Incomplete: true, Items: []result.Completion{{Label: "Load"}}}, completions{head, true, []result.Completion{{Label: "Load"}}}},
		"no completions": {completionsShape, &result.Completions{}, completions{Items: []result.Completion{}}},
		"formatting":     {formattingShape, &result.Formatting{Head: head, Path: "a.toy", Edits: []result.TextEdit{{StartLine: 1, NewText: "x"}}}, textEdits{head, "a.toy", []result.TextEdit{{StartLine: 1, NewText: "x"}}}},
		"folders":        {foldersShape, &result.Folders{Head: head, Folders: []result.Folder{{Path: "/one/two"}}}, folders{head, []folder{{"file:///one/two", "two"}}}},
	} {
		everything := cmp.AllowUnexported(party{}, committed{})
		if diff := cmp.Diff(c.want, c.shape.make([]result.Result{c.given}), everything); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The places of single edits, and of the edits of a chain, are ranges to the operation; what has none stays as it is.
func TestRangesOfEdits(t *testing.T) {
	for name, c := range map[string]struct {
		split       func(arguments) []arguments
		given, want string
	}{
		"one":                 {oneRange, `{"session":"s1","edits.file":"a","edits.new_text":"x","edits.range.start_line":1,"edits.range.end_line":2}`, `{"edits":[{"file":"a","new_text":"x","range":{"end_line":2,"start_line":1}}],"session":"s1"}`},
		"one without a range": {oneRange, `{"session":"s1","edits.file":"a"}`, `{"edits":[{"file":"a"}],"session":"s1"}`},
		"an edit":             {oneEdit, `{"mode":"apply","edits.file":"a"}`, `{"edits":[{"file":"a"}],"mode":"apply"}`},
		"a chain": {
			rangesOfChain, `{"session":"s1","edits":[{"file":"a","start_line":1,"start_column":2,"end_line":3,"end_column":4,"new_text":"x"},{"file":"b"}]}`,
			`{"edits":[{"file":"a","new_text":"x","range":{"end_column":4,"end_line":3,"start_column":2,"start_line":1}},{"file":"b"}],"session":"s1"}`,
		},
		"no chain": {rangesOfChain, `{"edits":7}`, `{"edits":7}`},
	} {
		split := c.split(argumentsOf(t, c.given))
		text, err := json.Marshal(split)
		if diff := cmp.Diff("["+c.want+"]", string(text)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}
