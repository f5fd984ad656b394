package render

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/result"
)

// empties makes an empty result of every type, by its name.
func empties() map[string]func() result.Result {
	all := make(map[string]func() result.Result)
	for of, f := range forms {
		all[of.Elem().Name()] = f.empty
	}
	return all
}

// Whatever a result holds and whatever its budget is: the text is not longer than the
// budget, says so if something was left out, claims no more than the result, and fitting
// it again changes nothing.
func TestTextKeepsEveryBudgetAndClaimsNoMore(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(empties())) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				reply := empties()[name]()
				fill(t, reflect.ValueOf(reply).Elem(), "", 0)
				consistent(reply)
				if edit, ok := reply.(*result.Edit); ok {
					edit.Caps = result.Caps{PerFile: rapid.IntRange(0, 9).Draw(t, "per file"), OtherFiles: rapid.IntRange(0, 9).Draw(t, "other files"), TotalLines: rapid.IntRange(0, 20).Draw(t, "lines")}
				}
				budget := rapid.OneOf(rapid.IntRange(1, 600), rapid.IntRange(1, 6000), rapid.Just(0)).Draw(t, "budget")
				whole := Brief(reply)
				honest(t, reply, whole)
				Fit(reply, budget)
				text := Brief(reply)
				limit := max(budgetOf(budget), LeastBytes)
				if len(text) > limit {
					t.Fatalf("%d bytes, budget %d:\n%s", len(text), budget, text)
				}
				honest(t, reply, text)
				if len(whole) <= limit && text != whole {
					t.Fatalf("changed without need:\n%s", cmp.Diff(whole, text))
				}
				if text != whole && !strings.Contains(text, "cut: ") {
					t.Fatalf("nothing says that it was cut from %d bytes:\n%s", len(whole), text)
				}
				Fit(reply, budget)
				if again := Brief(reply); again != text {
					t.Fatalf("fitted again it is another one:\n%s", cmp.Diff(text, again))
				}
			})
		})
	}
}

// honest fails if a text claims more than its result.
func honest(t *rapid.T, reply result.Result, text string) {
	t.Helper()
	text = strings.ReplaceAll(text, "answered late: no new errors in", "") // of other files than those that it is about
	claims := func(phrase string, may bool) {
		if strings.Contains(text, phrase) && !may {
			t.Fatalf("it says %q:\n%s\n%+v", phrase, text, reply)
		}
	}
	says := func(phrase string, must bool) {
		if must && !strings.Contains(text, phrase) {
			t.Fatalf("it does not say %q:\n%s\n%+v", phrase, text, reply)
		}
	}
	if head := reflect.ValueOf(reply).Elem().FieldByName("Head"); head.IsValid() {
		says("state: ", len(head.Interface().(result.Head).State) > 0)
	}
	edit := func(e *result.Edit) {
		if e == nil {
			return
		}
		clean := slices.Contains([]string{"clean", "warnings_only", "baseline_error"}, e.Verdict)
		claims("no new errors", clean || e.Verdict == "" || strings.Contains(text, "not known") || strings.Contains(text, "verdict unknown"))
		says("not known", e.Verdict == "unknown" && !strings.Contains(text, "unknown"))
		says("available", e.Verdict == "lsp_unavailable")
	}
	switch r := reply.(type) {
	case *result.Check:
		whole := !r.Incomplete && r.Cut == ""
		claims("no errors", (r.Verdict == "clean" || r.Verdict == "warnings_only") && whole)
		claims("no new errors", slices.Contains([]string{"clean", "warnings_only", "baseline_error"}, r.Verdict) && !r.Incomplete)
		says("error", r.Verdict == "new_errors")
		says("known", r.Verdict == "unknown")
	case *result.Edit:
		edit(r)
		claims("Done: applied", r.Applied)
	case *result.Fixes:
		if r.Edit == nil || r.Then == nil {
			edit(r.Edit)
			return
		}
		verdicts := []string{r.Edit.Verdict, r.Then.Verdict}
		clean := slices.ContainsFunc(verdicts, func(v string) bool {
			return slices.Contains([]string{"clean", "warnings_only", "baseline_error", ""}, v)
		})
		claims("no new errors", clean || strings.Contains(text, "not known") || strings.Contains(text, "verdict unknown"))
		says("known", slices.Contains(verdicts, "unknown"))
		if !strings.Contains(text, "verdict new_errors") && !strings.Contains(text, "verdict is new_errors") {
			says("error", slices.Contains(verdicts, "new_errors")) // new ones, or those that remain
		}
	case *result.Simulation:
		if r.Commit == nil && r.Chain == nil && r.Evaluation != nil {
			edit(editOf(r.Evaluation))
			says("confidence "+r.Evaluation.Confidence, true)
		}
	case *result.Command:
		edit(r.Edit)
	case *result.Build:
		claims("succeeded", r.Success)
		says("failed", !r.Success)
	case *result.Doctor:
		says(r.Level, true)
	case *result.Impact:
		says("not known", r.Failed > 0)
	case *result.Completions:
		says("incomplete", r.Incomplete && r.Total > 0 && len(r.Items) > 0)
	case *result.Capabilities:
		claims("no server runs", r.Cut == "")
	case *result.Servers:
		claims("no servers", r.Cut == "")
	case *result.Events:
		claims("No events", r.Cut == "")
	case *result.Sessions:
		claims("No sessions", r.Cut == "")
	case *result.Hierarchy:
		claims("no caller", r.Total == 0)
		says("derived", r.Derived && r.Total > 0)
	case *result.Places:
		claims(": no ", r.Total == 0)
	case *result.Symbols:
		claims(": no ", r.Total == 0)
	}
}

// vocabularies are the values of members that are no free text.
var vocabularies = map[string][]string{
	"Verdict": {"clean", "warnings_only", "new_errors", "baseline_error", "unknown", "lsp_unavailable"}, "Baseline": {"none", "session", "head"},
	"Severity": {"error", "warning", "info", "hint"}, "Freshness": {"fresh", "partial", "timeout", "indexing", "unavailable"},
	"Level": {result.LevelOK, result.LevelNote, result.LevelProblem}, "Risk": {"none", "low", "high", "unknown"}, "Direction": {"callers"},
	"What": {"reference"}, "State": {"active", "stopped", "unavailable", "disabled"}, "Action": {"list", "detect"}, "Mode": {"apply", "preview"},
	"Confidence": {"high", "partial", "low"}, "Status": {"created", "evaluated", "committed"},
}

// texts are those that servers and file systems give: short and long, of several lines,
// and what could steer a terminal.
var texts = []string{
	"a", "src/pkg/file.go", "src/pkg/other_file.go", "Config.Load", "func Load(path string) error",
	"cannot use x (variable of type int) as string value in assignment", "Type 'T<\"a\">' & U\nin two lines",
	"\x1b[2Jsteers", "größer 😀", strings.Repeat("a long word ", 60), strings.Repeat("one/long/path/", 20) + "file.go",
	"line one\nline two\n\tline three\n" + strings.Repeat("line after line\n", 40),
}

// fill gives a value any content.
func fill(t *rapid.T, v reflect.Value, name string, depth int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1_700_000_000, 0).UTC()))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"a":1}`))
		return
	case result.Caps:
		return
	}
	switch v.Kind() {
	case reflect.String:
		from := texts
		if words, ok := vocabularies[name]; ok {
			from = words
		}
		v.SetString(rapid.SampledFrom(from).Draw(t, name))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, name))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64Range(0, 200).Draw(t, name))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(rapid.Uint64Range(0, 5000).Draw(t, name))
	case reflect.Pointer:
		if depth < 3 && rapid.Bool().Draw(t, "has "+name) {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), name, depth+1)
		}
	case reflect.Slice:
		most := []int{24, 24, 4, 2, 0, 0, 0}[depth]
		n := rapid.IntRange(0, most).Draw(t, "number of "+name)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i), "", depth+2)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !slices.Contains([]string{"Cut", "Budget", "Counts"}, f.Name) {
				fill(t, v.Field(i), f.Name, depth)
			}
		}
	default:
		t.Fatalf("%s is a %s", name, v.Kind())
	}
}

// consistent makes the counts of a result those of what it lists.
func consistent(reply result.Result) {
	switch r := reply.(type) {
	case *result.Places:
		r.Total, r.FileCount = r.Total*min(1, len(r.Files)), len(r.Files)
		for i := range r.Files {
			r.Files[i].Count = max(1, len(r.Files[i].Places))
			r.Total += r.Files[i].Count
		}
	case *result.Inspection:
		if r.References != nil {
			consistent(r.References)
		}
		if r.Callers != nil {
			consistent(r.Callers)
		}
	case *result.Hierarchy:
		r.Total = len(r.Nodes)
	case *result.Symbols:
		r.Total = len(r.Symbols)
	case *result.Completions:
		r.Total = len(r.Items)
	case *result.Fixes:
		r.Total = len(r.Actions)
	case *result.Lenses:
		r.Total = len(r.Lenses)
	case *result.Doctor:
		r.Judge()
	}
}

// The lean structured form of a reply is hardly longer than its text, holds nothing that
// is empty, begins with the verdict, and is JSON whatever the reply holds.
func TestLeanFormIsHardlyLongerThanTheText(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(empties())) {
		if _, has := Lean(empties()[name]()); !has {
			continue
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				reply := empties()[name]()
				fill(t, reflect.ValueOf(reply).Elem(), "", 0)
				consistent(reply)
				Fit(reply, rapid.OneOf(rapid.IntRange(1, 600), rapid.IntRange(1, 12_000), rapid.Just(0)).Draw(t, "budget"))
				text := Brief(reply)
				raw, err := LeanJSON(reply, text)
				if err != nil {
					t.Fatal(err)
				}
				if most := max(LeanBytes, len(text)*13/10); len(raw) > most {
					t.Fatalf("%d bytes of JSON, %d of text:\n%s\n%s", len(raw), len(text), raw, text)
				}
				var members map[string]json.RawMessage
				if err := json.Unmarshal(raw, &members); err != nil {
					t.Fatal(err)
				}
				for member, value := range members {
					if slices.Contains([]string{`""`, `[]`, `{}`, `null`}, string(value)) {
						t.Fatalf("%s is empty: %s", member, raw)
					}
				}
				if verdict, has := members["verdict"]; has && !strings.HasPrefix(string(raw), `{"verdict":`+string(verdict)) {
					t.Fatalf("the verdict is not first: %s", raw)
				}
			})
		})
	}
}

// A status whose text just fits its budget is not cut; one that is a byte longer is.
func TestStatusThatJustFits(t *testing.T) {
	s := &result.Status{Root: "/w", Servers: []result.Server{{ID: "toy", State: "unavailable", Reason: strings.Repeat("why ", 90)}}}
	whole := Brief(s)
	s.Budget = len(whole)
	if diff := cmp.Diff(whole, Brief(s)); diff != "" {
		t.Errorf("with room for all (-want +got):\n%s", diff)
	}
	s.Budget--
	if got := Brief(s); len(got) > s.Budget || got == whole {
		t.Errorf("with a byte less: %q", got)
	}
}
