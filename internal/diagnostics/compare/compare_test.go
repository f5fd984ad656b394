package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// at is an error over the first character of a line.
func at(line int, message string) protocol.Diagnostic { return over(line, line, message) }

// over is an error from the begin of a line to behind the first character of a later one.
func over(from, to int, message string) protocol.Diagnostic {
	place := protocol.Range{Start: protocol.Position{Line: uint32(from)}, End: protocol.Position{Line: uint32(to), Character: 1}}
	return protocol.Diagnostic{Range: place, Severity: protocol.SeverityError, Message: message}
}

// coded is one like at, of a text "CODE: MESSAGE".
func coded(line int, text string) protocol.Diagnostic {
	code, message, _ := strings.Cut(text, ": ")
	d := at(line, message)
	d.Code = code
	return d
}

func wordingOf(t *testing.T, server string) registry.Wording {
	if server == "" {
		return nil
	}
	d, known := registry.Builtin().Get(server)
	if !known || d.Wording == nil {
		t.Fatalf("%s has no wording", server)
	}
	return d.Wording
}

func saying(items []protocol.Diagnostic) string {
	var all []string
	for _, d := range items {
		all = append(all, d.Message)
	}
	return strings.Join(all, ", ")
}

// Findings are carried through an edit: by place and code where the text stands, by message where it was written anew.
func TestFindingsAreCarriedThroughAnEdit(t *testing.T) {
	for name, tt := range map[string]struct {
		server                     string // whose wording it is
		old, now                   string // texts
		before, after              []protocol.Diagnostic
		isNew, isRemaining, isGone string
	}{
		"insert above": {
			"", "a\nb\n", "x\ny\na\nb\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(3, "e")}, "", "e", "",
		},
		"delete above": {"", "x\na\n", "a\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(0, "e")}, "", "e", ""},
		"a message that names a line moves with it": {
			"", "a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(1, "redeclared, see line 1")},
			[]protocol.Diagnostic{at(2, "redeclared, see line 2")},
			"", "redeclared, see line 2", "",
		},
		"what follows the first line is a part of the error": {
			"", "a\nb\n", "a\nb\n",
			[]protocol.Diagnostic{at(1, "wrong type\nfound A")},
			[]protocol.Diagnostic{at(1, "wrong type\nfound B\n  a note")},
			"wrong type\nfound B\n  a note", "", "wrong type\nfound A",
		},
		"the line is written anew, the error is the same": {
			"", "a\nb\n", "a\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "e")}, "", "e", "",
		},
		"the line is written anew, the error is another": {
			"", "a\nb\n", "a\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "f")}, "f", "", "e",
		},
		"one more of the same": {
			"", "a\nb\n", "a\nc\nd\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "e"), at(2, "e")}, "e", "e", "",
		},
		"the same message in an untouched line is new": {
			"", "a\nb\n", "a\nb\nc\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(1, "e")}, "e", "", "e",
		},
		"the line is written anew, an untouched one has the same error now": {
			"", "a\nb\nc\n", "a\nB\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(2, "e")}, "e", "", "e",
		},
		"the line is gone, an untouched one has the same error now": {
			"", "a\nb\nc\n", "a\nc\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(1, "e")}, "e", "", "e",
		},
		"the end of its place is written anew": {
			"", "a\nb\nc\n", "a\nB\nc\n", []protocol.Diagnostic{over(0, 1, "e")}, []protocol.Diagnostic{at(0, "e")}, "", "e", "",
		},
		"another code": {
			"", "a\n", "a\n",
			[]protocol.Diagnostic{at(0, "e")},
			[]protocol.Diagnostic{coded(0, "7: e")},
			"e", "", "e",
		},
		"a package is named by its path, because another has its name now": {
			"gopls", "a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(1, "have Load(model.Order) yaml.Node")},
			[]protocol.Diagnostic{at(2, `have Load("shop/model".Order) "example.org/yaml.v3".Node`)},
			"", `have Load("shop/model".Order) "example.org/yaml.v3".Node`, "",
		},
		"a package is named by its path, in a line that is written anew": {
			"gopls", "a\nb\n", "a\nc\n",
			[]protocol.Diagnostic{at(1, `have "shop/model".Order`)},
			[]protocol.Diagnostic{at(1, "have model.Order")},
			"", "have model.Order", "",
		},
		"it was said of the file as a whole, and a line comes before it": {
			"", "a\nb\n", "x\na\nb\n", []protocol.Diagnostic{at(0, "no licence")}, []protocol.Diagnostic{at(0, "no licence")}, "", "no licence", "",
		},
		"it moved with the first line, and another is said of the new one": {
			"", "a\nb\n", "x\na\nb\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(0, "e"), at(1, "e")}, "e", "e", "",
		},
		"it was said of the end, and more comes there": {
			"", "a\nb\n", "a\nb\nc\n", []protocol.Diagnostic{at(2, "no end")}, []protocol.Diagnostic{at(2, "no end")}, "", "no end", "",
		},
		"it was said of the end, and text moved there": {
			"", "a\nb\nc\n", "c\na\nb\n\n", []protocol.Diagnostic{at(3, "no end")}, []protocol.Diagnostic{at(0, "no end")}, "", "no end", "",
		},
		"it was said of the last line, and more comes behind that": {
			"", "a\nb\n", "a\nb\nc\nd\n", []protocol.Diagnostic{at(1, "no end")}, []protocol.Diagnostic{at(3, "no end")}, "", "no end", "",
		},
		"it was said of the last line, and is said of one that comes behind it": {
			"", "a\nb\n", "a\nb\nc\nd\n", []protocol.Diagnostic{at(1, "e")}, []protocol.Diagnostic{at(2, "e")}, "e", "", "e",
		},
		"it was said of the line before the last, and is said of the last": {
			"", "a\nb\n", "a\nb\nc\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(2, "e")}, "e", "", "e",
		},
		"it was said of the end, and is said of what stood": {
			"", "a\nb\n", "x\na\nb\n", []protocol.Diagnostic{at(2, "no end")}, []protocol.Diagnostic{at(1, "no end")}, "no end", "", "no end",
		},
		"another package": {
			"gopls", "a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{at(1, "have model.Order")},
			[]protocol.Diagnostic{at(2, `have "shop/models".Order`)},
			`have "shop/models".Order`, "", "have model.Order",
		},
		"mended":     {"", "a\nb\n", "a\n", []protocol.Diagnostic{at(1, "e")}, nil, "", "", "e"},
		"line moved": {"", "a\nb\nc\n", "b\nc\na\n", []protocol.Diagnostic{at(0, "e")}, []protocol.Diagnostic{at(2, "e")}, "", "e", ""},
		"a type is printed otherwise in the place where it stands": {
			"", "a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(1, `reportArgumentType: "list[int]" is no "str"`)},
			[]protocol.Diagnostic{coded(2, `reportArgumentType: "List[int]" is no "str"`)},
			"", `"List[int]" is no "str"`, "",
		},
		"what was said otherwise is older, what comes in the same place is new": {
			"", "a\n", "x\na\n",
			[]protocol.Diagnostic{coded(0, "E1: one")},
			[]protocol.Diagnostic{coded(1, "E1: one in other words"), coded(1, "E1: two"), coded(1, "E2: three")},
			"two, three", "one in other words", "",
		},
		"what is said in the same words is the older of two": {
			"", "a\n", "x\na\n",
			[]protocol.Diagnostic{coded(0, "E1: one")},
			[]protocol.Diagnostic{coded(1, "E1: two"), coded(1, "E1: one")},
			"two", "one", "",
		},
		"another code in the same place": {
			"", "a\n", "x\na\n", []protocol.Diagnostic{coded(0, "1: e")}, []protocol.Diagnostic{coded(1, "2: e")}, "e", "", "e",
		},
		"one code, in a line that is written anew": {
			"", "a\nb\n", "a\nc\n", []protocol.Diagnostic{coded(1, "1: e")}, []protocol.Diagnostic{coded(1, "1: f")}, "f", "", "e",
		},
		"an error that may come with a suggestion has another code with it": {
			"typescript", "a\nb\n", "x\na\nb\n",
			[]protocol.Diagnostic{coded(1, "2551: No 'old' in T. Did you mean 'olds'?\n  No 'old' in U."), coded(1, `2724: '"./m"' has no exported member named 'f'. Did you mean 'g'?`)},
			[]protocol.Diagnostic{coded(2, "2339: No 'old' in T.\n  No 'old' in U."), coded(2, `2305: Module '"./m"' has no exported member 'f'.`)},
			"", "No 'old' in T.\n  No 'old' in U., Module '\"./m\"' has no exported member 'f'.", "",
		},
		"a line that is written anew has the same error without a suggestion": {
			"typescript", "a\nb\n", "a\nc\n",
			[]protocol.Diagnostic{coded(1, "2551: Property 'old' does not exist on type 'T'. Did you mean 'olds'?")},
			[]protocol.Diagnostic{coded(1, "2339: Property 'old' does not exist on type 'T'.\n  Property 'old' does not exist on type 'U'.")},
			"", "Property 'old' does not exist on type 'T'.\n  Property 'old' does not exist on type 'U'.", "",
		},
		"a line that is written anew lacks something else": {
			"typescript", "a\nb\n", "a\nc\n",
			[]protocol.Diagnostic{coded(1, "2551: No 'old' in T. Did you mean 'olds'?")},
			[]protocol.Diagnostic{coded(1, "2339: No 'new' in T.")},
			"No 'new' in T.", "", "No 'old' in T. Did you mean 'olds'?",
		},
		"a line that is written anew has an error that is explained otherwise": {
			"typescript", "a\nb\n", "a\nc\n",
			[]protocol.Diagnostic{coded(1, "2322: A does not fit B.\n  No a in B.")},
			[]protocol.Diagnostic{coded(1, "2322: A does not fit B.\n  No b in B.\n    It has c.")},
			"", "A does not fit B.\n  No b in B.\n    It has c.", "",
		},
		"a name that a module no longer has even for itself": {
			"typescript", "a\nb\n", "x\na\nc\n",
			[]protocol.Diagnostic{coded(1, `2459: Module '"./m"' declares 'f' locally, but it is not exported.`), coded(0, `2460: Module '"./m"' declares 'g' locally, but it is exported as 'h'.`)},
			[]protocol.Diagnostic{coded(2, `2305: Module '"./m"' has no exported member 'f'.`), coded(1, `2305: Module '"./m"' has no exported member 'g'.`)},
			"", `Module '"./m"' has no exported member 'g'., Module '"./m"' has no exported member 'f'.`, "",
		},
		"a name that clang has nothing like any more": {
			"clangd", "a\nb\n", "c\nd\n",
			[]protocol.Diagnostic{coded(0, "suggest: no 'Z'"), coded(0, "undeclared_suggest: no 'A'; did you mean 'B'?"), coded(1, "plain: no 'C'\n\nnote: c")},
			[]protocol.Diagnostic{coded(0, "undeclared: no 'A'"), coded(1, "plain_suggest: no 'C'; did you mean simply 'D'?\n\nnote: c"), coded(0, "undeclared_suggest: no 'E'; did you mean 'B'?")},
			"no 'E'; did you mean 'B'?", "no 'A', no 'C'; did you mean simply 'D'?\n\nnote: c", "no 'Z'",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := Between(wordingOf(t, tt.server), Text{[]byte(tt.old), tt.before}, Text{[]byte(tt.now), tt.after}, nil)
			want := []string{"new: " + tt.isNew, "remaining: " + tt.isRemaining, "gone: " + tt.isGone}
			if diff := cmp.Diff(want, []string{"new: " + saying(d.New), "remaining: " + saying(d.Remaining), "gone: " + saying(d.Gone)}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// However the lines around old errors are edited, no old error in an untouched
// line becomes new, and each new one does.
func TestEditsNeverMakeOldErrorsNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Each line of the old text is its own; some have an error.
		type line struct {
			text     string
			old, new string // messages
		}
		var before []line
		for i := range rapid.IntRange(1, 20).Draw(t, "lines") {
			l := line{text: fmt.Sprintf("line %d", i)}
			if rapid.Bool().Draw(t, "error") {
				l.old = rapid.SampledFrom([]string{"undefined: x", "wrong type", "unused"}).Draw(t, "message")
			}
			before = append(before, l)
		}
		after := slices.Clone(before)
		for n := range rapid.IntRange(0, 8).Draw(t, "edits") {
			i := rapid.IntRange(0, len(after)).Draw(t, "where")
			if i < len(after) && rapid.Bool().Draw(t, "delete") {
				after = slices.Delete(after, i, i+1)
				continue
			}
			l := line{text: fmt.Sprintf("inserted %d", n)}
			if rapid.Bool().Draw(t, "new error") {
				l.new = "new: " + l.text
			}
			after = slices.Insert(after, i, l)
		}
		state := func(lines []line) (text string, items []protocol.Diagnostic, added int) {
			items = []protocol.Diagnostic{}
			for i, l := range lines {
				text += l.text + "\n"
				if l.old != "" {
					items = append(items, at(i, l.old))
				}
				if l.new != "" {
					items = append(items, at(i, l.new))
					added++
				}
			}
			return text, items, added
		}
		oldText, old, _ := state(before)
		newText, now, added := state(after)
		r := Between(nil, Text{[]byte(oldText), old}, Text{[]byte(newText), now}, nil)
		for _, d := range r.New {
			if !strings.HasPrefix(d.Message, "new: ") {
				t.Fatalf("%q in line %d became new\nbefore:\n%safter:\n%s", d.Message, d.Range.Start.Line, oldText, newText)
			}
		}
		if len(r.New) != added {
			t.Fatalf("%d new, want %d", len(r.New), added)
		}
		if len(r.New)+len(r.Remaining) != len(now) {
			t.Fatalf("%d new and %d remaining of %d", len(r.New), len(r.Remaining), len(now))
		}
		if len(r.Reasons) != len(r.Remaining) {
			t.Fatalf("%d reasons for %d remaining", len(r.Reasons), len(r.Remaining))
		}
		for i, reason := range r.Reasons {
			if reason.Was.Message != r.Remaining[i].Message || reason.Rule == "" {
				t.Fatalf("%q is taken for %q by %q", r.Remaining[i].Message, reason.Was.Message, reason.Rule)
			}
		}
		if len(r.Remaining)+len(r.Gone) != len(old) {
			t.Fatalf("%d remaining and %d gone of %d old", len(r.Remaining), len(r.Gone), len(old))
		}
	})
}
