package evidence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Who writes to a log whose end is missing, or is another than the one that was noted, records that first, and goes on
// with the numbers after the noted end: what is missing stays missing, however much is written after it, and verify
// says so. The same process finds it as well as another.
func TestACutLogDoesNotBecomeWholeAgain(t *testing.T) {
	type found struct {
		First    string
		Problems []string
	}
	anew, _ := chainOf(t, link{}, calls(8)...)
	last := func(l [][]byte, of int) [][]byte { return l[:of] }
	for name, c := range map[string]struct {
		change func(lines [][]byte) [][]byte // nil: the file is removed
		head   bool                          // the note of its end is removed, too
		want   found
	}{
		"nothing":                  {func(l [][]byte) [][]byte { return l }, false, found{First: "7 tool_call"}},
		"a record":                 {func(l [][]byte) [][]byte { return last(l, 5) }, false, found{"7 log_truncated", []string{"truncated 7"}}},
		"several records":          {func(l [][]byte) [][]byte { return last(l, 2) }, false, found{"7 log_truncated", []string{"truncated 7"}}},
		"in the middle of one":     {func(l [][]byte) [][]byte { return append(last(l, 3), l[3][:20]) }, false, found{"7 log_truncated", []string{"unreadable 0", "truncated 7"}}},
		"all records":              {func([][]byte) [][]byte { return nil }, false, found{"7 log_truncated", []string{"truncated 7"}}},
		"the file":                 {nil, false, found{"7 log_truncated", []string{"truncated 7"}}},
		"the end is changed":       {func(l [][]byte) [][]byte { l[5] = bytes.Replace(l[5], []byte("op4"), []byte("op5"), 1); return l }, false, found{"7 log_truncated", []string{"truncated 7"}}},
		"the note":                 {func(l [][]byte) [][]byte { return l }, true, found{"7 log_truncated", []string{"truncated 7"}}},
		"a record and the note":    {func(l [][]byte) [][]byte { return last(l, 5) }, true, found{"6 log_truncated", []string{"truncated 6"}}},
		"written anew, and longer": {func([][]byte) [][]byte { return [][]byte{[]byte(anew)} }, false, found{"7 tool_call", []string{"truncated 9"}}},
	} {
		for _, same := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "evidence.jsonl")
			l := Open(Options{Path: path})
			for _, e := range calls(5) {
				l.Record(Origin{}, e)
			}
			if err := l.Flush(t.Context()); err != nil { // 6 records
				t.Fatal(err)
			}
			if !same && c.change != nil {
				l.file.forget() // as if another process had it
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if c.change == nil {
				err = os.Remove(path)
			} else {
				err = os.WriteFile(path, bytes.Join(c.change(bytes.SplitAfter(text, []byte("\n"))[:6]), nil), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.head {
				if err := os.Remove(headPath(path)); err != nil {
					t.Fatal(err)
				}
			}
			if name == "the end is changed" && same || name == "the note" && same {
				l.Close(t.Context())
				continue // a file of the same size is read again by those who open it
			}
			for range 3 {
				for _, e := range calls(4) {
					l.Record(Origin{}, e)
				}
				if err := l.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			l.Close(t.Context())
			var got found
			for _, r := range records(t, path) {
				if line := fmt.Sprint(r.Seq, " ", r.Event); got.First == "" && (r.Seq >= 7 || r.Event == KindTruncated) {
					got.First = line
				}
			}
			got.Problems = said(verified(t, path).Problems)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, by the same process: %t (-want +got):\n%s", name, same, diff)
			}
		}
	}
}

// What the record of a cut says can be read: which records are missing, or that nobody knows.
func TestWhatIsSaidOfACut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path}, calls(3)...) // 5 records
	whole := verified(t, path)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	third := hashOf([]byte(strings.TrimSuffix(lines[2], "\n")))
	for _, c := range []struct {
		text, head    string // "" of the head: none
		want          Truncated
		line, problem string
	}{
		{
			strings.Join(lines[:3], ""), "noted",
			Truncated{End: 3, EndHash: third, Noted: 5, NotedHash: whole.Head},
			"records 4 to 5 were removed from the end", "records 4 to 5 were removed from the end, as was found when record 6 was written",
		},
		{
			strings.Join(lines[:3], ""), "",
			Truncated{End: 3, EndHash: third},
			"the note of the end was missing", "the note of the end was missing when record 4 was written: it is not known whether records before it were removed",
		},
		{
			strings.Replace(string(text), `"events":`, `"events":1`, 1), "noted",
			Truncated{End: 5, EndHash: "changed", Noted: 5, NotedHash: whole.Head},
			"record 5 was changed", "record 5 was changed, as was found when record 6 was written",
		},
	} {
		path := filepath.Join(t.TempDir(), "evidence.jsonl")
		lsptest.WriteFile(t, path, c.text)
		if c.head != "" {
			lsptest.WriteFile(t, headPath(path), fmt.Sprintf(`{"seq":5,"hash":%q}`, whole.Head))
		}
		record(t, Options{Path: path}, calls(1)...)
		list := records(t, path)
		i := slices.IndexFunc(list, func(r Record) bool { return r.Event == KindTruncated })
		if i < 0 {
			t.Errorf("nothing is recorded: %+v", list)
			continue
		}
		event, err := list[i].Decode()
		if err != nil {
			t.Fatal(err)
		}
		got := *event.(*Truncated)
		if c.want.EndHash == "changed" && got.EndHash != got.NotedHash {
			got.EndHash = "changed"
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
		if line := list[i].Line(); !strings.HasSuffix(line, ": "+c.line) {
			t.Errorf("%q, want %q", line, c.line)
		}
		if problems := verified(t, path).Problems; len(problems) != 1 || problems[0].Message != c.problem {
			t.Errorf("%+v", problems)
		}
	}
}

// A file that was moved away because it is large is no cut, also if its process ended before it began the next one; and
// that the note of the end is missing is told before anybody writes.
func TestWhatIsNoCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path}, calls(1)...) // 3 records
	moved := strings.TrimSuffix(path, ".jsonl") + "-000000000003.jsonl"
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	record(t, Options{Path: path}, calls(1)...)
	if report := verified(t, path); report.Last != 6 || len(report.Problems)+len(report.Notes) > 0 {
		t.Errorf("%+v", report)
	}
	if err := os.Remove(headPath(path)); err != nil {
		t.Fatal(err)
	}
	want := []Problem{{path, 3, 6, "truncated", "the note of the end, " + headPath(path) + ", is missing: it is not known whether records after 6 were removed"}}
	if diff := cmp.Diff(want, verified(t, path).Problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A hash that was kept elsewhere shows whether the record that it is of is still there: by its number if that was kept,
// too.
func TestVerifyAgainstAKeptHash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path}, calls(3)...)
	kept := verified(t, path) // 5 records
	record(t, Options{Path: path}, calls(3)...)
	other := strings.Repeat("0", 64)
	for _, c := range []struct {
		against Kept
		want    []Problem
	}{
		{Kept{Hash: kept.Head}, []Problem{}},
		{Kept{Hash: kept.Head, Seq: 5}, []Problem{}},
		{Kept{Hash: other}, []Problem{{path, 0, 0, "missing", "no record has the hash " + other + ": it was removed, or changed"}}},
		{Kept{Hash: kept.Head, Seq: 4}, []Problem{{path, 0, 4, "changed", "record 4 has another hash than the one that was kept: it, or one before it, was changed"}}},
		{Kept{Hash: kept.Head, Seq: 11}, []Problem{{path, 0, 11, "missing", "record 11, whose hash was kept, is missing"}}},
	} {
		report, err := VerifyAgainst(path, c.against)
		if diff := cmp.Diff(c.want, report.Problems); diff != "" || err != nil {
			t.Errorf("%+v: %v (-want +got):\n%s", c.against, err, diff)
		}
	}
}
