package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A change is the shortest one that keeps characters and line ends whole; where the texts are the same it is none, and
// with a lone return there is none to tell.
func TestDifferences(t *testing.T) {
	type change struct {
		From, To int
		Text     string
		OK       bool
	}
	for _, c := range []struct {
		old, text string
		want      change
	}{
		{"", "", change{0, 0, "", true}},
		{"ab", "ab", change{2, 2, "", true}},
		{"", "ab", change{0, 0, "ab", true}},
		{"ab", "", change{0, 2, "", true}},
		{"abc", "aXc", change{1, 2, "X", true}},
		{"abc", "abcd", change{3, 3, "d", true}},
		{"abc", "Xabc", change{0, 0, "X", true}},
		{"aa", "aaa", change{2, 2, "a", true}},
		{"aaa", "aa", change{2, 3, "", true}},
		{"é", "è", change{0, 2, "è", true}},
		{"aéb", "aèb", change{1, 3, "è", true}},
		{"\u00e9", "\u0129", change{0, 2, "\u0129", true}}, // the last byte is the same
		{"a\r\nb", "a\nb", change{1, 3, "\n", true}},
		{"a\nb", "a\r\nb", change{1, 2, "\r\n", true}},
		{"a\r\n", "a\r\n\r\n", change{3, 3, "\r\n", true}},
		{"a\rb", "a\rc", change{}},
		{"ab", "a\rb", change{}},
	} {
		from, to, replacement, ok := difference([]byte(c.old), []byte(c.text))
		if diff := cmp.Diff(c.want, change{from, to, string(replacement), ok}); diff != "" {
			t.Errorf("%q to %q (-want +got):\n%s", c.old, c.text, diff)
		}
	}
	for offset, want := range map[int]bool{-1: false, 0: false, 1: true, 2: false, 3: true, 4: false, 5: false} {
		if got := inside([]byte("é\r\n"), offset); got != want {
			t.Errorf("inside at %d: %t", offset, got)
		}
	}
}

// Tokens touch a range that they share a character with; an empty range is touched by what it is inside of, or what
// begins at it.
func TestTokensThatTouch(t *testing.T) {
	at := func(from, to uint32) protocol.Range {
		return protocol.Range{Start: protocol.Position{Character: from}, End: protocol.Position{Character: to}}
	}
	for r, want := range map[protocol.Range]string{
		at(0, 2): "a", at(2, 4): "", at(1, 4): "a", at(0, 5): "a b", at(5, 6): "b", at(7, 9): "b", at(8, 9): "", at(4, 4): "b", at(8, 8): "", at(5, 5): "b", at(2, 2): "", at(1, 1): "a", at(0, 0): "a",
	} {
		var got []string
		for _, token := range touching([]protocol.SemanticToken{{Range: at(0, 2), Type: "a"}, {Range: at(4, 8), Type: "b"}}, r) {
			got = append(got, token.Type)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%v (-want +got):\n%s", r, diff)
		}
	}
}

// What a server is told of its folders takes the place of a word in its options, wherever that stands; options without
// it stay.
func TestFoldersInOptions(t *testing.T) {
	a, b := lsptest.Rooted("/a"), lsptest.Rooted("/b")
	list := fmt.Sprintf("[%q,%q]", protocol.URIFromPath(a), protocol.URIFromPath(b))
	for options, want := range map[string]string{`{"x":"${folders}","y":["${folders}"]}`: `{"x":` + list + `,"y":[` + list + `]}`, `{"x":"folders"}`: `{"x":"folders"}`, ``: ``} {
		if got := string(withFolders(json.RawMessage(options), []string{a, b})); got != want {
			t.Errorf("%s: %s", options, got)
		}
	}
}

// A file belongs to the innermost project around it, and is needed by what needs that; a project is told once more only
// when another is new.
func TestProjectsOfFiles(t *testing.T) {
	in := func(name string) string { return lsptest.Rooted("/w/" + name) }
	s := &Server{root: in("root")}
	s.progress.titles = map[string]int{"load": 2}
	if diff := cmp.Diff([]string{in("root")}, s.Roots()); diff != "" {
		t.Error(diff)
	}
	all := []Project{{Root: in("a"), Users: []string{in("b")}}, {Root: in("a/in"), Users: []string{in("b"), in("c")}}, {Root: in("b")}, {Root: in("c")}}
	s.docs.first = time.Unix(1, 0)
	s.SetProjects(all)
	if diff := cmp.Diff(map[string]int{"load": 0}, s.BegunSince()); diff != "" || !s.FirstOpened().IsZero() {
		t.Errorf("new ones: %v %s", s.FirstOpened(), diff)
	}
	s.docs.first, s.progress.titles["load"] = time.Unix(2, 0), 3
	s.SetProjects(all[:3])
	if diff := cmp.Diff(map[string]int{"load": 1}, s.BegunSince()); diff != "" || s.FirstOpened().IsZero() {
		t.Errorf("fewer: %v %s", s.FirstOpened(), diff)
	}
	s.SetProjects(all)
	if diff := cmp.Diff([]string{in("a"), in("a/in"), in("b"), in("c")}, s.Roots()); diff != "" {
		t.Error(diff)
	}
	type known struct {
		Home  string
		Users []string
	}
	for file, want := range map[string]known{
		"a/x.toy": {in("a"), []string{in("b")}}, "a/in/x.toy": {in("a/in"), []string{in("b"), in("c")}}, "a": {in("a"), []string{in("b")}}, "ab/x.toy": {}, "x.toy": {}, "b/..x.toy": {in("b"), nil},
	} {
		var got known
		if home := s.homeLocked(in(file)); home != nil {
			got.Home = home.Root
		}
		for _, user := range s.usersLocked(in(file)) {
			got.Users = append(got.Users, user.Root)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// A file is astray in a project elsewhere, or in none around it, if one is in its folder or above it, up to the root.
func TestFilesThatAreAstray(t *testing.T) {
	root := lsptest.Workspace(t, "-- tsconfig.json --\n-- in/near/jsconfig.json --\n-- in/near/deep/x --\n-- in/far/x --\n")
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	s := &Server{root: in("in")}
	for _, c := range []struct {
		file, project string
		want          bool
	}{
		{"in/near/a.ts", "in/near/jsconfig.json", false},
		{"in/near/deep/a.ts", "in/near/jsconfig.json", false},
		{"in/near/deep/a.ts", "in/far/tsconfig.json", true},
		{"in/near/a.ts", "in/far/tsconfig.json", true},
		{"in/far/a.ts", "in/near/jsconfig.json", false},
		{"in/far/a.ts", "tsconfig.json", false},
		{"b.ts", "in/near/jsconfig.json", true},
	} {
		if got := s.isAstray(in(c.file), in(c.project)); got != c.want {
			t.Errorf("%s in %s: %t", c.file, c.project, got)
		}
	}
}

// A module is of the package that its first words name, with a scope of two; the manifest of that is told if it is
// linked from the nearest node_modules, and part of none.
func TestManifestsOfModules(t *testing.T) {
	for module, want := range map[string]string{
		"": "", ".": "", "./a": "", "..": "", "../a": "", "/a": "", "a": "a", "a/b/c": "a", "@a": "", "@a/": "", "@a/b": "@a/b", "@a/b/c": "@a/b", ".a/b": ".a",
	} {
		if got := packageOf(module); got != want {
			t.Errorf("%q: %q, want %q", module, got, want)
		}
	}
	lsptest.NeedLinks(t)
	root := lsptest.Workspace(t, "-- linked/x --\n-- outer/x --\n-- app/node_modules/installed/x --\n-- app/src/a.ts --\n-- node_modules/x --\n")
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for link, target := range map[string]string{"app/node_modules/near": "../../linked", "node_modules/near": "../outer", "node_modules/far": "../outer", "app/node_modules/gone": "../nothing"} {
		if err := os.Symlink(target, in(link)); err != nil {
			t.Fatal(err)
		}
	}
	for module, want := range map[string]string{"near/x": "linked/package.json", "far": "outer/package.json", "installed": "", "gone": "", "none": "", "./near": ""} {
		if want != "" {
			want = in(want)
		}
		if got := linkedManifest(in("app/src/a.ts"), module); got != want {
			t.Errorf("%s: %q, want %q", module, got, want)
		}
	}
}

// A server works if a thread of it runs, it sent something, or it used enough of the processor for the time that passed,
// and for a short time half of that of a second.
func TestSignsOfWork(t *testing.T) {
	before := vital{cpu: time.Second, received: 7}
	for _, c := range []struct {
		now     vital
		elapsed time.Duration
		want    bool
	}{
		{before, time.Second, false},
		{vital{cpu: time.Second, received: 7, runs: true}, time.Second, true},
		{vital{cpu: time.Second, received: 8}, time.Second, true},
		{vital{cpu: time.Second, received: 6}, time.Second, true},
		{vital{cpu: time.Second + minWork, received: 7}, time.Second, true},
		{vital{cpu: time.Second + minWork - 1, received: 7}, time.Second, false},
		{vital{cpu: time.Second + minWork, received: 7}, 2 * time.Second, false},
		{vital{cpu: time.Second + 2*minWork, received: 7}, 2 * time.Second, true},
		{vital{cpu: time.Second + minWork/2, received: 7}, time.Millisecond, true},
		{vital{cpu: time.Second + minWork/2 - 1, received: 7}, time.Millisecond, false},
	} {
		if got := c.now.worksSince(before, c.elapsed); got != c.want {
			t.Errorf("%+v after %v: %t", c.now, c.elapsed, got)
		}
	}
}

// A change of a file is covered by a watch of its kind, below its base or, without one, anywhere or below a folder.
func TestWhatIsWatched(t *testing.T) {
	in := func(name string) string { return lsptest.Rooted("/w/" + name) }
	for name, c := range map[string]struct {
		watch protocol.Watch
		want  string
	}{
		"anywhere":         {protocol.Watch{Pattern: "**/*.toy", Kind: 7}, "a.toy sub/b.toy out/c.toy"},
		"below a folder":   {protocol.Watch{Pattern: "*.toy", Kind: 7}, "a.toy sub/b.toy"},
		"another kind":     {protocol.Watch{Pattern: "**/*.toy", Kind: 5}, ""},
		"that kind alone":  {protocol.Watch{Pattern: "**/*.toy", Kind: 2}, "a.toy sub/b.toy out/c.toy"},
		"a base":           {protocol.Watch{Base: in("out"), Pattern: "*.toy", Kind: 7}, "out/c.toy"},
		"a base elsewhere": {protocol.Watch{Base: in("none"), Pattern: "**", Kind: 7}, ""},
		"no pattern":       {protocol.Watch{Pattern: "x", Kind: 7}, ""},
	} {
		var got []string
		for _, file := range []string{"a.toy", "sub/b.toy", "out/c.toy", "a.txt"} {
			if watched([]protocol.Watch{{Pattern: "none", Kind: 7}, {Base: in("none"), Pattern: "*.toy", Kind: 7}, c.watch}, in(file), 2, []string{in(""), in("sub")}) {
				got = append(got, file)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What a request is about is the file that it names, if it is one.
func TestFilesOfRequests(t *testing.T) {
	path := lsptest.Rooted("/w/a.toy")
	uri := fmt.Sprintf("%q", protocol.URIFromPath(path))
	for params, want := range map[string]string{
		`{"textDocument":{"uri":` + uri + `}}`: path, `{"textDocument":{"uri":""}}`: "", `{"textDocument":{}}`: "", `{"textDocument":7}`: "", `{"textDocument":{"uri":"untitled:1"}}`: "", `{"uri":` + uri + `}`: "", ``: "",
	} {
		if got := subjectOf(json.RawMessage(params)); got != want {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
	}
}

// Of the last words of a server the last lines are kept, without empty ones.
func TestLastWords(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "  a", "a\n\nb \r\n \nc": "  b\n  c", "a\nb": "  a\n  b", "\n": ""} {
		if got := lastLines(text, 2); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	long := strings.Repeat("x", maxWord)
	for text, want := range map[string]string{" a \n\tb ": "a b", long: long, long + "y": long + "…", strings.Repeat("é", maxWord): strings.Repeat("é", maxWord)} {
		if got := oneLine(text); got != want {
			t.Errorf("%.9s: %d bytes, want %d", text, len(got), len(want))
		}
	}
}

// Trouble is told from the words on that name it, up to the end of the paragraph; a message without them, and a server
// whose words for it are not known, tell of none.
func TestWordsOfTrouble(t *testing.T) {
	for _, c := range []struct{ pattern, message, want string }{
		{"no sdk", `"careful: no sdk\nat all\n\nsee the log"`, "no sdk\nat all"}, {"no sdk", `"no sdk"`, "no sdk"}, {"no sdk", `"well"`, ""}, {"no sdk", `7`, ""}, {"", `"no sdk"`, ""}, {"(", `"no ( sdk"`, ""},
	} {
		if got := troubleOf(&registry.Readiness{Trouble: c.pattern}, json.RawMessage(c.message)); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.pattern, c.message, got, c.want)
		}
	}
}

// An edit is that of the command at work which somebody waits for; any other is refused with the reason. The next
// command begins when the one before it has ended, though nobody waited for that.
func TestEditsOfCommands(t *testing.T) {
	c := &commands{slot: make(chan struct{}, 1)}
	edit := func(params string) applyEditResult { return c.collect(json.RawMessage(params)) }
	refused := applyEditResult{FailureReason: "no edit was asked for"}
	var got []applyEditResult
	add := func(r applyEditResult) { got = append(got, r) }
	add(edit(`{"edit":{"n":1}}`))
	c.slot <- struct{}{}
	first := c.begin("first")
	add(edit(`{"edit":{"n":2}}`))
	for _, params := range []string{`{"edit":[]}`, `{"edit":7}`, `{}`, `7`} {
		if r := edit(params); r != (applyEditResult{FailureReason: "it has no edit"}) {
			t.Errorf("%s: %+v", params, r)
		}
	}
	add(edit(`{"edit":{"n":3}}`))
	if c.atWork() != "first" {
		t.Errorf("at work: %q", c.atWork())
	}
	if diff := cmp.Diff([]json.RawMessage{json.RawMessage(`{"n":2}`), json.RawMessage(`{"n":3}`)}, c.leave(first)); diff != "" {
		t.Errorf("its edits (-want +got):\n%s", diff)
	}
	add(edit(`{"edit":{"n":4}}`))
	if c.atWork() != "first" || len(c.slot) != 1 {
		t.Errorf("it ended: %q", c.atWork())
	}
	c.end(first)
	if c.atWork() != "" || len(c.slot) != 0 {
		t.Errorf("it did not end: %q", c.atWork())
	}
	c.slot <- struct{}{}
	second := c.begin("second")
	c.leave(first) // late
	add(edit(`{"edit":{"n":5}}`))
	c.end(second)
	add(edit(`{"edit":{"n":6}}`))
	if diff := cmp.Diff([]applyEditResult{refused, {Applied: true}, {Applied: true}, refused, {Applied: true}, refused}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if edits := c.leave(second); len(edits) != 1 {
		t.Errorf("the second has %q", edits)
	}
}

// Who registered something takes back just that; what is left stays in its order.
func TestRegistrationsThatAreTakenBack(t *testing.T) {
	r := &registrations{changed: make(chan struct{})}
	all := []protocol.Registration{{ID: "1", Method: "a"}, {ID: "2", Method: "a"}, {ID: "1", Method: "b"}, {ID: "1", Method: "a"}}
	for _, one := range all {
		_, more := r.of("a")
		r.add(one)
		select {
		case <-more:
		default:
			t.Errorf("%v: nobody heard of it", one)
		}
	}
	before := r.all()
	r.remove(protocol.Registration{ID: "2", Method: "b"})
	r.remove(protocol.Registration{ID: "1", Method: "a"})
	if diff := cmp.Diff(all, before); diff != "" {
		t.Errorf("what was listed before changed:\n%s", diff)
	}
	if diff := cmp.Diff([]protocol.Registration{all[1], all[2], all[3]}, r.all()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	of, _ := r.of("a")
	if diff := cmp.Diff([]protocol.Registration{all[1], all[3]}, of); diff != "" {
		t.Errorf("of a (-want +got):\n%s", diff)
	}
}

// A server that a request ran into its deadline of is put to the test at the third in a row, once; an answer begins the
// count anew, and one that is being closed is not tested.
func TestDeadlinesInARow(t *testing.T) {
	s := &Server{closing: true}
	type count struct {
		Missed  int
		Testing bool
	}
	var got []count
	for _, missed := range []bool{true, true, false, true, true, true, true} {
		if missed {
			s.Missed()
		} else {
			s.met()
		}
		got = append(got, count{s.health.missed, s.health.testing})
	}
	if diff := cmp.Diff([]count{{1, false}, {2, false}, {0, false}, {1, false}, {2, false}, {3, true}, {4, true}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server owes until all that was asked is settled; what nobody waits for any more counts only while it is watched, and
// until it is seen to do something.
func TestWhatAServerOwes(t *testing.T) {
	s := &Server{opts: Options{Still: time.Hour}}
	v := &s.vigil
	state := func() string {
		return fmt.Sprintf("owed %d, left %d, watched %t, owing %t, doubted %t", v.owed, v.left, v.over != nil, s.Owing(), s.Doubted())
	}
	var got []string
	now := func() { got = append(got, state()) }
	one, two := s.Owes(), s.Owes()
	now()
	one(true)
	now()
	two(false)
	now()
	three, four := s.Owes(), s.Owes()
	v.keeping = true
	now()
	three(false)
	s.vouch()
	now()
	v.left = 2
	four(true)
	now()
	s.seen()
	now()
	want := []string{
		"owed 2, left 0, watched true, owing true, doubted false", "owed 1, left 0, watched true, owing true, doubted false", "owed 0, left 0, watched false, owing false, doubted false",
		"owed 2, left 0, watched true, owing true, doubted true", "owed 1, left 0, watched true, owing true, doubted false", "owed 0, left 2, watched true, owing false, doubted false",
		"owed 0, left 0, watched false, owing false, doubted false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server misses a file if it refuses it for want of its package, unless the go command leaves the file out.
func TestFilesThatAServerMisses(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.go --\npackage a\n-- tagged.go --\n//go:build never\n\npackage a\n-- testdata/a.go --\npackage a\n-- _x/a.go --\npackage a\n")
	none := &jsonrpc.ResponseError{Message: "no package metadata for file"}
	for _, c := range []struct {
		file string
		err  error
		want bool
	}{
		{"a.go", none, true},
		{"a.go", fmt.Errorf("hover: %w", none), true},
		{"a.go", nil, false},
		{"a.go", errors.New("no package metadata"), false},
		{"a.go", &jsonrpc.ResponseError{Message: "odd"}, false},
		{"tagged.go", none, false},
		{"testdata/a.go", none, false},
		{"_x/a.go", none, false},
		{"gone.go", none, false},
		{"gone.toy", none, true},
	} {
		if got := (&Server{}).Misses(filepath.Join(root, filepath.FromSlash(c.file)), c.err); got != c.want {
			t.Errorf("%s, %v: %t", c.file, c.err, got)
		}
	}
}
