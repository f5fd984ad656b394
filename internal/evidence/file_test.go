package evidence

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The last record of a file is found however long it and what follows it are; what stands behind the last line ending
// is the rest.
func TestEndOfAFile(t *testing.T) {
	type found struct {
		Last  link
		Torn  string
		Whole bool
	}
	call := func(length int) *ToolCall { return &ToolCall{Operation: strings.Repeat("x", length)} }
	short, end := chainOf(t, link{}, call(1), call(2))
	long, far := chainOf(t, link{}, call(tailBytes), call(3*tailBytes))
	first, begun := chainOf(t, link{}, call(1))
	// The line of a record is just as long as what is read at first, with its ending and without.
	fits := func(spare int) (string, link) {
		bare, _ := chainOf(t, link{}, call(0))
		return chainOf(t, link{}, call(tailBytes-len(bare)+spare))
	}
	exact, exactEnd := fits(0)
	over, overEnd := fits(1)
	for name, c := range map[string]struct {
		text string
		want found
	}{
		"nothing":                           {"", found{}},
		"no line":                           {"torn", found{Torn: "torn"}},
		"no record":                         {"a\n{}\n\nb", found{Torn: "b"}},
		"records":                           {short, found{Last: end, Whole: true}},
		"records and a rest":                {short + "{", found{Last: end, Torn: "{", Whole: true}},
		"records and lines that are none":   {short + "{}\n\n[]\nx", found{Last: end, Torn: "x", Whole: true}},
		"one record":                        {first, found{Last: begun, Whole: true}},
		"long ones":                         {long, found{Last: far, Whole: true}},
		"a long rest":                       {short + strings.Repeat("y", tailBytes+1), found{Last: end, Torn: strings.Repeat("y", tailBytes+1), Whole: true}},
		"a record that just fits":           {exact, found{Last: exactEnd, Whole: true}},
		"one that just fits, behind others": {"z\n" + exact, found{Last: exactEnd, Whole: true}},
		"one that just does not":            {"z\n" + over, found{Last: overEnd, Whole: true}},
	} {
		last, torn, whole, err := endOf(strings.NewReader(c.text), int64(len(c.text)))
		if diff := cmp.Diff(c.want, found{last, string(torn), whole}); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%.300s", name, err, diff)
		}
	}
	failure := errors.New("unreadable")
	if _, _, whole, err := endOf(broken{failure}, 5); !errors.Is(err, failure) || whole {
		t.Errorf("%t, %v", whole, err)
	}
}

// A broken file cannot be read.
type broken struct{ err error }

func (b broken) ReadAt([]byte, int64) (int, error) { return 0, b.err }

// Secrets are hidden in strings alone: neither in the names of members nor in numbers, also where quotes and
// backslashes stand before them.
func TestWhereSecretsAreHidden(t *testing.T) {
	f := &file{secrets: escaped([]string{"secret", "1234567", `qu"ote`, "short"})}
	for data, want := range map[string]string{
		`{"a":"b"}`:                          `{"a":"b"}`,
		`"secret"`:                           `"(hidden)"`,
		`{"secret":"secret"}`:                `{"secret":"(hidden)"}`,
		`{"a":["secret","xsecrety secret"]}`: `{"a":["(hidden)","x(hidden)y (hidden)"]}`,
		`{"a":1234567}`:                      `{"a":1234567}`,
		`1234567`:                            `1234567`,
		`{"a":"1234567","b":1234567}`:        `{"a":"(hidden)","b":1234567}`,
		`["\"secret\\","secret\\"]`:          `["\"(hidden)\\","(hidden)\\"]`,
		`["qu\"ote"]`:                        `["(hidden)"]`,
		`{"a":"secret","short":"short"}`:     `{"a":"(hidden)","short":"short"}`,
		`["secret",{}]`:                      `["(hidden)",{}]`,
	} {
		if got := string(f.hide([]byte(data))); got != want {
			t.Errorf("%s: %s, want %s", data, got, want)
		}
	}
	if got := len(escaped([]string{"", "12345", "123456", "1234567"})); got != 2 {
		t.Errorf("%d secrets are long enough", got)
	}
}

// A file that cannot be moved away, because its new name is taken, grows: no record is lost, and the chain goes on.
func TestFileThatCannotBeMoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path}, calls(1)...) // 3 records
	lsptest.WriteFile(t, strings.TrimSuffix(path, ".jsonl")+"-000000000003.jsonl", "")
	record(t, Options{Path: path, MaxBytes: 1}, calls(1)...)
	if report := verified(t, path); report.Last != 7 || len(report.Files) != 3 || len(report.Problems)+len(report.Notes) > 0 {
		t.Errorf("%+v", report)
	}
	var kinds []string
	for _, r := range records(t, path) {
		kinds = append(kinds, fmt.Sprint(r.Seq, " ", r.Event))
	}
	want := []string{"1 log_opened", "2 tool_call", "3 log_closed", "4 log_opened", "5 tool_call", "6 log_rotated", "7 log_closed"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A log without bounds of its own has the usual ones; what it is given counts.
func TestBoundsOfALog(t *testing.T) {
	type bounds struct {
		Queue   int
		Max     int64
		Own     int64
		Content bool
	}
	of := func(o Options) bounds {
		o.Path = filepath.Join(t.TempDir(), "evidence.jsonl")
		l := Open(o)
		defer l.Close(t.Context())
		return bounds{cap(l.queue), l.file.max, l.opts.MaxBytes, l.Contents()}
	}
	want := []bounds{{defaultQueue, defaultMaxBytes, defaultMaxBytes, false}, {3, 5, 5, true}}
	if diff := cmp.Diff(want, []bounds{of(Options{}), of(Options{Queue: 3, MaxBytes: 5, Contents: true})}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A batch has what waits, up to its bound, in the order in which it came.
func TestBatches(t *testing.T) {
	l := &Log{queue: make(chan *entry, maxBatch+2)}
	var all []*entry
	for range maxBatch + 2 {
		e := &entry{}
		all = append(all, e)
		l.queue <- e
	}
	same := func(got, want []*entry) bool {
		return cmp.Equal(want, got, cmp.Comparer(func(a, b *entry) bool { return a == b }))
	}
	if first := l.batch(<-l.queue); !same(first, all[:maxBatch]) {
		t.Errorf("%d entries at first", len(first))
	}
	if second := l.batch(<-l.queue); !same(second, all[maxBatch:]) {
		t.Errorf("%d entries then", len(second))
	}
}

// The writer is hastened as soon as its queue is more than half full, and not before.
func TestHurryOfAFullQueue(t *testing.T) {
	l := &Log{queue: make(chan *entry, 4), hurry: make(chan struct{}, 1), stopping: make(chan struct{})}
	var got []int
	for range 5 {
		l.Record(Origin{}, &Trust{})
		got = append(got, len(l.hurry))
	}
	if diff := cmp.Diff([]int{0, 0, 1, 1, 1}, got); diff != "" || l.lost.Load() != 1 {
		t.Errorf("%d are lost (-want +got):\n%s", l.lost.Load(), diff)
	}
}
