package evidence

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// lineOf is the line of a record of a run that follows another.
func lineOf(t *testing.T, after link, seq uint64, run string, kind Kind, data any) (line string, end link) {
	t.Helper()
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(Record{Seq: seq, Time: time.Unix(1_000_000, 0).UTC(), Prev: after.Hash, Run: run, Event: kind, Data: text})
	if err != nil {
		t.Fatal(err)
	}
	return string(whole) + "\n", link{seq, hashOf(whole)}
}

// chainOf are the lines of events of one run, from a link on.
func chainOf(t *testing.T, last link, events ...Event) (text string, end link) {
	t.Helper()
	for _, e := range events {
		var line string
		line, last = lineOf(t, last, last.Seq+1, "run", e.Kind(), e)
		text += line
	}
	return text, last
}

// What is wrong with a log, and what is missing of it, is told in words with the file, the line and the record.
func TestWhatIsSaidOfALog(t *testing.T) {
	call := &ToolCall{Operation: "op"}
	three, third := chainOf(t, link{}, call, call, call)
	lines := strings.SplitAfter(three, "\n")
	_, first := chainOf(t, link{}, call)
	fourth, _ := chainOf(t, third, call)
	later, _ := chainOf(t, link{4, "before"}, call)
	bare, _ := lineOf(t, link{}, 1, "run", call.Kind(), call)
	odd, _ := lineOf(t, first, 2, "run", call.Kind(), []int{1})
	unbegun, _ := lineOf(t, link{0, "before"}, 1, "run", call.Kind(), call)
	torn := `{"seq":4,"ti`
	recovered := func(bytes int, hash string, after link) string {
		line, _ := lineOf(t, after, 4, "run", KindRecovered, &Recovered{bytes, hash})
		return line
	}
	lost, _ := chainOf(t, link{}, &Loss{3, "the disk was full"})
	opened := func(run string, seq uint64, pid int) string {
		line, _ := lineOf(t, map[bool]link{true: {}, false: first}[seq == 1], seq, run, KindOpened, &Opened{PID: pid})
		return line
	}
	two := func(firstRun, lastRun string) string {
		begun, end := lineOf(t, link{}, 1, firstRun, KindOpened, &Opened{PID: 11})
		next, end := lineOf(t, end, 2, lastRun, KindOpened, &Opened{PID: 12})
		closed, _ := lineOf(t, end, 3, lastRun, KindClosed, &Closed{2})
		return begun + next + closed
	}
	const unreadable = "it is no record: a line was changed, or written by something else"
	unended := func(pid int) string {
		return fmt.Sprintf("process %d, which began here, has no end: it still runs, or what it had not written yet is missing", pid)
	}
	unnoted := link{0, "none"}
	type problems = []Problem
	for name, c := range map[string]struct {
		text            string
		head            link
		problems, notes problems
	}{
		"whole":                        {text: three, head: third},
		"an older end is known":        {text: three, head: first},
		"another end is known":         {text: three, head: link{3, "x"}, problems: problems{{"LOG", 3, 3, "changed", "record 3 is another than the one that was written: it was changed"}}},
		"another middle is known":      {text: three, head: link{2, "x"}, problems: problems{{"LOG", 2, 2, "changed", "record 2 is another than the one that was written: it was changed"}}},
		"one is missing at the end":    {text: three, head: link{4, "x"}, problems: problems{{"LOG", 3, 3, "missing", "record 4 is missing at the end"}}},
		"two are missing at the end":   {text: three, head: link{5, "x"}, problems: problems{{"LOG", 3, 3, "missing", "records 4 to 5 are missing at the end"}}},
		"all is missing":               {head: link{2, "x"}, problems: problems{{"LOG", 0, 0, "missing", "records 1 to 2 are missing at the end"}}},
		"one is missing":               {text: lines[0] + lines[2], problems: problems{{"LOG", 2, 3, "missing", "record 2 is missing before record 3"}}},
		"two are missing":              {text: lines[0] + fourth, problems: problems{{"LOG", 2, 4, "missing", "records 2 to 3 are missing before record 4"}}},
		"swapped":                      {text: lines[0] + lines[0], problems: problems{{"LOG", 2, 1, "swapped", "record 1 stands behind record 1: records were moved, or written twice"}}},
		"it begins later":              {text: later, notes: problems{{"LOG", 1, 5, "earlier", "the log begins with record 5: those before it are not here"}}},
		"something was before":         {text: unbegun, notes: problems{{"LOG", 1, 1, "earlier", "the log begins with record 1: those before it are not here"}}},
		"an event that makes no sense": {text: lines[0] + odd, problems: problems{{"LOG", 2, 2, "unreadable", "the event of record 2 cannot be read: json: cannot unmarshal array into Go value of type evidence.ToolCall"}}},
		"a line that is none":          {text: lines[0] + "x\n" + lines[1], problems: problems{{"LOG", 2, 0, "unreadable", unreadable}}},
		"two lines that are none":      {text: lines[0] + "x\n\n" + lines[1], problems: problems{{"LOG", 2, 0, "unreadable", unreadable}, {"LOG", 3, 0, "unreadable", unreadable}}},
		"instead of a record":          {text: lines[0] + "x\n" + lines[2], problems: problems{{"LOG", 2, 0, "unreadable", unreadable}}},
		"at the end":                   {text: lines[0] + "x\n", problems: problems{{"LOG", 2, 0, "unreadable", unreadable}}},
		"a record and more":            {text: strings.TrimSuffix(bare, "\n") + " {}\n", problems: problems{{"LOG", 1, 0, "unreadable", unreadable}}},
		"a record with more":           {text: strings.Replace(bare, "{", `{"more":1,`, 1), head: unnoted, problems: problems{{"LOG", 1, 0, "unreadable", unreadable}}},
		"a record without a number":    {text: strings.Replace(bare, `"seq":1`, `"seq":0`, 1), problems: problems{{"LOG", 1, 0, "unreadable", unreadable}}},
		"a record without an event":    {text: strings.Replace(bare, string(call.Kind()), "", 1), head: unnoted, problems: problems{{"LOG", 1, 0, "unreadable", unreadable}}},
		"cut off":                      {text: three + torn, notes: problems{{"LOG", 4, 0, "cut_off", "the last 12 bytes are no whole record: it was cut off"}}},
		"cut off, and all was written": {text: three + torn, head: third, notes: problems{{"LOG", 4, 0, "cut_off", "the last 12 bytes are no whole record: it was cut off"}}},
		"cut off, and more was": {
			text: three + torn, head: link{4, "x"},
			problems: problems{{"LOG", 4, 0, "cut_off", "the last 12 bytes are no whole record: it was cut off"}, {"LOG", 3, 3, "missing", "record 4 is missing at the end"}},
		},
		"cut off, and noted":         {text: three + torn + "\n" + recovered(12, hashOf([]byte(torn)), third), notes: problems{{"LOG", 4, 0, "lost", "a process was ended while it wrote this record"}}},
		"cut off, noted as longer":   {text: three + torn + "\n" + recovered(13, hashOf([]byte(torn)), third), problems: problems{{"LOG", 4, 0, "unreadable", unreadable}}},
		"cut off, noted as another":  {text: three + torn + "\n" + recovered(12, "x", third), problems: problems{{"LOG", 4, 0, "unreadable", unreadable}}},
		"cut off, noted behind more": {text: three + torn + "\n" + recovered(12, hashOf([]byte(torn)), link{3, "x"}), problems: problems{{"LOG", 4, 0, "unreadable", unreadable}}},
		"noted, and nothing was cut": {text: three + recovered(12, "x", third)},
		"events were lost":           {text: lost, notes: problems{{"LOG", 1, 1, "lost", "3 events were lost: the disk was full"}}},
		"a process has no end":       {text: opened("a", 1, 7), notes: problems{{"LOG", 1, 1, "unfinished", unended(7)}}},
		"another process has":        {text: two("a", "b"), notes: problems{{"LOG", 1, 1, "unfinished", unended(11)}}},
		"it has":                     {text: two("a", "a")},
	} {
		path := filepath.Join(t.TempDir(), "evidence.jsonl")
		lsptest.WriteFile(t, path, c.text)
		if c.head == (link{}) { // it is that of the last record
			var err error
			if c.head, _, _, err = endOf(strings.NewReader(c.text), int64(len(c.text))); err != nil {
				t.Fatal(err)
			}
		}
		if c.head != (link{}) {
			text, err := json.Marshal(c.head)
			if err != nil {
				t.Fatal(err)
			}
			lsptest.WriteFile(t, headPath(path), string(text))
		}
		report := verified(t, path)
		named := func(list problems) problems {
			all := problems{}
			for _, p := range list {
				p.File = strings.ReplaceAll(p.File, path, "LOG")
				all = append(all, p)
			}
			return all
		}
		want := [2]problems{append(problems{}, c.problems...), append(problems{}, c.notes...)}
		if diff := cmp.Diff(want, [2]problems{named(report.Problems), named(report.Notes)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A report counts the records, and tells the first, the last and the hash of that; processes without an end are told in
// the order in which they began.
func TestReportOfALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	var text string
	last, want := link{}, []Problem{}
	for n := range 12 {
		var line string
		line, last = lineOf(t, last, last.Seq+1, fmt.Sprint("run", n), KindOpened, &Opened{PID: n})
		text += line
		want = append(want, Problem{path, n + 1, uint64(n + 1), "unfinished", fmt.Sprintf("process %d, which began here, has no end: it still runs, or what it had not written yet is missing", n)})
	}
	lsptest.WriteFile(t, path, text)
	lsptest.WriteFile(t, headPath(path), fmt.Sprintf(`{"seq":12,"hash":%q}`, last.Hash))
	whole := Report{Path: path, Files: []string{path}, Records: 12, First: 1, Last: 12, Head: last.Hash, Problems: []Problem{}, Notes: want}
	if diff := cmp.Diff(whole, verified(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The files of a log are those with its name and a number behind it, the oldest first, and then the one itself.
func TestFilesOfALog(t *testing.T) {
	dir := lsptest.Workspace(t, "-- log-000000000020.jsonl --\n-- log-000000000003.jsonl --\n-- log-.jsonl --\n-- log-3a.jsonl --\n-- log-4.txt --\n-- log-5 --\n-- other-3.jsonl --\n-- logs-3.jsonl --\n-- log.jsonl.head --\n")
	in := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(dir, name))
		}
		return paths
	}
	compare := func(what string, want []string) {
		t.Helper()
		got, err := Files(filepath.Join(dir, "log.jsonl"))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
		}
	}
	compare("before it is made", in("log-000000000003.jsonl", "log-000000000020.jsonl"))
	lsptest.WriteFile(t, filepath.Join(dir, "log.jsonl"), "")
	compare("with it", in("log-000000000003.jsonl", "log-000000000020.jsonl", "log.jsonl"))
	if got, err := Files(filepath.Join(dir, "nowhere", "log.jsonl")); got != nil || err != nil {
		t.Errorf("in no folder: %q, %v", got, err)
	}
	if got, err := Files(filepath.Join(dir, "log.jsonl", "log.jsonl")); got != nil || err == nil {
		t.Errorf("in what is no folder: %q, %v", got, err)
	}
}
