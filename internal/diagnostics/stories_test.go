package diagnostics

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// The stories of testdata/stories.txtar hold the law: an answer is a function of texts. The texts are of a toy
// language in which "f" declares f and "!f" uses it, which is wrong where no file declares it. A story says which
// texts there are, what happens, and what happens only after what; it is played in every order that this allows,
// with servers of several kinds.

// maxOrders bounds the orders in which a story is played; of more, this many are drawn with a fixed seed.
const maxOrders = 40

// An event is a line of a story: "NAME [after OTHERS]: ACTION".
type event struct {
	name   string
	after  []string
	action []string // its words
}

// A script is what may happen in a story, and the first texts by file.
type script struct {
	texts  map[string]string
	events []event
	// cold says that the servers have not answered about the first texts before it begins.
	cold bool
}

func parseScript(t *testing.T, text string) (s script) {
	s.texts = make(map[string]string)
	for line := range strings.Lines(text) {
		head, action, found := strings.Cut(strings.TrimSpace(line), ":")
		words := strings.Fields(action)
		names := strings.Fields(head)
		switch {
		case head == "":
		case !found || len(words) == 0:
			t.Fatalf("%q is no line of a story", line)
		case head == "texts" || head == "cold texts":
			s.cold = head == "cold texts"
			for _, w := range words {
				file, content, _ := strings.Cut(w, "=")
				s.texts["/w/"+file] = content
			}
		default:
			e := event{name: names[0], action: words}
			if len(names) > 2 && names[1] == "after" {
				e.after = names[2:]
			}
			s.events = append(s.events, e)
		}
	}
	return s
}

// orders returns the orders of the events that their arrows allow.
func (s *script) orders() (all [][]event) {
	var extend func(done, left []event)
	extend = func(done, left []event) {
		if len(left) == 0 {
			all = append(all, slices.Clone(done))
		}
		for i, e := range left {
			waits := slices.ContainsFunc(e.after, func(name string) bool {
				return slices.ContainsFunc(left, func(other event) bool { return other.name == name })
			})
			if !waits && len(all) < 5_000 {
				extend(append(slices.Clip(done), e), slices.Delete(slices.Clone(left), i, i+1))
			}
		}
	}
	extend(nil, s.events)
	if len(all) > maxOrders {
		random := rand.New(rand.NewPCG(1, 2))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:maxOrders]
	}
	return all
}

// wrongWith returns what is wrong with texts, as "no NAME", by file.
func wrongWith(texts map[string]string) map[string][]string {
	declared := make(map[string]bool)
	for _, text := range texts {
		for w := range strings.SplitSeq(text, ",") {
			declared[w] = true
		}
	}
	wrong := make(map[string][]string)
	for file, text := range texts {
		for w := range strings.SplitSeq(text, ",") {
			if name, uses := strings.CutPrefix(w, "!"); uses && !declared[name] {
				wrong[file] = append(wrong[file], "no "+name)
			}
		}
	}
	return wrong
}

// errorsIn returns what is wrong with one of the texts, each finding at its word.
func errorsIn(texts map[string]string, path string) []protocol.Diagnostic {
	list, offset := []protocol.Diagnostic{}, uint32(0)
	wrong := wrongWith(texts)[path]
	for w := range strings.SplitSeq(texts[path], ",") {
		if name, uses := strings.CutPrefix(w, "!"); uses && slices.Contains(wrong, "no "+name) {
			d := at(0, "no "+name)
			d.Range.Start.Character, d.Range.End.Character = offset, offset+uint32(len(w))
			list = append(list, d)
		}
		offset += uint32(len(w)) + 1
	}
	return list
}

// A stage is where a story is played.
type stage struct {
	t *testing.T
	c *Collector
	// kind is the strategy of its server.
	kind registry.Strategy

	working sync.Mutex // is held while the server does something; taken before mu

	mu     sync.Mutex
	texts  map[string]string   // the present ones
	states []map[string]string // all since the beginning
	server *fake
	// published are the versions of the files that it has reported on.
	published map[string]int32
	jobs      []func()      // what the server has still to do
	tokens    chan struct{} // answers that a server that is asked may give
	free      bool          // the server does everything at once
	asked     sync.WaitGroup
	wrong     []string
	whole     int  // how many answers were complete
	last      bool // that the last one was
	// isCold says that the server has not said what was wrong with the first texts.
	isCold bool
	first  map[string]string // those of the beginning
}

// start starts a server; it is shown the texts that there are.
func (s *stage) start(texts map[string]string) {
	d := only(s.kind)
	if s.kind == registry.Versioned {
		d.ClosedFiles = registry.ClosedPushes
	}
	f := newFake(s.c, d)
	f.onDisk = s.first
	f.identifiers = []string{""}
	f.shown = func(path string, version int32) { // f.mu is held
		seen := s.seenByLocked(f)
		s.add(func() { s.publish(f, path, version, seen) })
	}
	f.pull = func(ctx context.Context, path, _, _ string) (protocol.Report, error) {
		if err := s.turn(ctx, f); err != nil {
			return protocol.Report{}, err
		}
		return protocol.Report{Items: errorsIn(s.seenBy(f), path)}, nil
	}
	s.mu.Lock()
	s.server, s.published = f, make(map[string]int32)
	s.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		_, _ = f.Sync(path, []byte(texts[path]))
	}
}

// add gives the server something to do.
func (s *stage) add(job func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs = append(s.jobs, job); s.free {
		later(ms, func() { s.work() })
	}
}

// work lets the server do the next thing that it has to do, and reports whether there was one. What it says comes in the
// order in which it was told.
func (s *stage) work() bool {
	s.working.Lock()
	defer s.working.Unlock()
	s.mu.Lock()
	if len(s.jobs) == 0 {
		s.mu.Unlock()
		return false
	}
	job := s.jobs[0]
	s.jobs = s.jobs[1:]
	s.mu.Unlock()
	job()
	return true
}

// turn waits until a server that is asked may answer.
func (s *stage) turn(ctx context.Context, f *fake) error {
	s.mu.Lock()
	free := s.free
	s.mu.Unlock()
	if free {
		<-time.After(ms)
		return nil
	}
	select {
	case <-s.tokens:
		return nil
	case <-f.Done():
		return f.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// seenBy returns the texts that a server has.
func (s *stage) seenBy(f *fake) map[string]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.seenByLocked(f)
}

func (s *stage) seenByLocked(f *fake) map[string]string {
	seen := make(map[string]string)
	for path := range s.first {
		seen[path], _ = f.textLocked(path)
	}
	return seen
}

// publish is what a server that reports by itself does for a version of a file that it was shown, with the texts that it
// had then: it reports on all files, on that one last, so that whoever waits for it has the rest. Of the others it
// names the versions for which it has done so before.
func (s *stage) publish(f *fake, path string, version int32, texts map[string]string) {
	s.mu.Lock()
	gone := s.server != f
	done := maps.Clone(s.published)
	s.published[path] = version
	s.mu.Unlock()
	if gone || s.kind != registry.Versioned {
		return
	}
	push := func(path string, version int32) {
		f.out.Published(lsp.Published{Path: path, Version: &version, Items: errorsIn(texts, path)})
	}
	for other, v := range done {
		if other != path {
			push(other, v)
		}
	}
	push(path, version)
}

// answer lets the server do the next thing.
func (s *stage) answer() {
	if s.work() {
		return
	}
	select {
	case s.tokens <- struct{}{}:
	default:
	}
}

// unbind lets the server do everything at once, what it has to do first.
func (s *stage) unbind() {
	s.mu.Lock()
	s.free = true
	s.mu.Unlock()
	for s.work() {
	}
	for range cap(s.tokens) {
		s.answer()
	}
}

// write changes a text, and tells the server.
func (s *stage) write(path, text string) {
	s.mu.Lock()
	s.texts = maps.Clone(s.texts)
	s.texts[path] = text
	s.states = append(s.states, s.texts)
	f := s.server
	s.mu.Unlock()
	_, _ = f.Sync(path, []byte(text))
}

// ask checks files for a session. before are the texts to compare with.
func (s *stage) ask(name, session string, paths []string, before map[string]string) {
	s.mu.Lock()
	begin, now, key := len(s.states)-1, s.texts, s.server.key
	s.mu.Unlock()
	former := make(map[string][]byte)
	for path, text := range before {
		if text != now[path] {
			former[path] = []byte(text)
		}
	}
	for _, path := range s.c.Told(session) { // as whoever asks for a session does
		if session != "" && !slices.Contains(paths, path) {
			paths = append(slices.Clip(paths), path)
		}
	}
	req := Request{Session: session, OthersToo: s.kind == registry.Versioned, SinceBegan: session != "", Since: s.c.At(former), Same: len(former) == 0}
	for _, path := range paths {
		file := File{Path: path, Content: []byte(now[path]), Sources: []Source{{Key: key, Obtain: s.obtain}}}
		if text, changed := former[path]; changed {
			file.Former = text
		}
		req.Files = append(req.Files, file)
	}
	s.asked.Go(func() {
		report, err := s.c.Check(s.t.Context(), req)
		if err != nil {
			s.t.Error(err)
			return
		}
		s.c.Tell(session, slices.DeleteFunc(slices.Concat(report.Files, report.Others), func(r FileReport) bool { return r.Baseline == None }))
		s.judge(name, begin, &req, before, &report)
	})
}

// obtain returns the server that runs.
func (s *stage) obtain(context.Context) (Server, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server, nil
}

// judge compares a report with what the texts say. If texts changed while it was made, what it says of a file may be of
// any of them.
func (s *stage) judge(name string, begin int, req *Request, before map[string]string, report *Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	verdict := report.Judgement().Verdict()
	whole := !slices.ContainsFunc(report.Files, func(r FileReport) bool { return !r.Fresh() })
	listed := make(map[string][]string)
	for _, r := range slices.Concat(report.Files, report.Others) {
		whole = whole && r.Baseline != None
		if r.Baseline == None {
			continue
		}
		list := r.New
		if req.SinceBegan {
			list = union(r.New, r.Standing)
		}
		listed[r.Path] = split(list)
	}
	if s.last = whole; whole {
		s.whole++
	}
	for _, path := range slices.Sorted(maps.Keys(s.first)) {
		if s.kind != registry.Versioned && !slices.ContainsFunc(req.Files, func(f File) bool { return f.Path == path }) {
			continue // nobody asked about it
		}
		got := listed[path]
		slices.Sort(got)
		if !slices.ContainsFunc(s.states[begin:], func(now map[string]string) bool {
			want := news(before, now, path)
			lists := func(m string) bool { return slices.Contains(want, m) }
			return slices.Equal(want, got) || !whole && !slices.ContainsFunc(got, func(m string) bool { return !lists(m) })
		}) {
			s.wrong = append(s.wrong, fmt.Sprintf("%s (whole: %v, %s) says %q of %s, where the texts say %q", name, whole, verdict, got, path, news(before, s.states[begin], path)))
		}
	}
}

// news returns what is wrong with a file now and was not before, sorted.
func news(before, now map[string]string, path string) (found []string) {
	old := slices.Clone(wrongWith(before)[path])
	for _, m := range wrongWith(now)[path] {
		if i := slices.Index(old, m); i >= 0 {
			old = slices.Delete(old, i, i+1)
		} else {
			found = append(found, m)
		}
	}
	slices.Sort(found)
	return found
}

// do does one thing of a story.
func (s *stage) do(e event) {
	words := e.action[1:]
	session := ""
	if len(words) > 1 && words[0] == "as" {
		session, words = words[1], words[2:]
	}
	switch e.action[0] {
	case "check":
		var paths []string
		for _, file := range words {
			paths = append(paths, "/w/"+file)
		}
		s.ask(e.name, cmp.Or(session, "one"), paths, s.first)
	case "edit": // compared with the texts before it
		file, text, _ := strings.Cut(words[0], "=")
		s.mu.Lock()
		before := s.texts
		s.mu.Unlock()
		s.write("/w/"+file, text)
		s.ask(e.name, "", []string{"/w/" + file}, before)
	case "write":
		file, text, _ := strings.Cut(words[0], "=")
		s.write("/w/"+file, text)
	case "answer":
		s.answer()
	case "crash":
		s.mu.Lock()
		f, texts := s.server, s.texts
		s.jobs, s.isCold = nil, true
		s.mu.Unlock()
		f.crash()
		s.start(texts)
	case "wait":
		<-time.After(time.Minute)
	default:
		s.t.Fatalf("%v: no such action", e.action)
	}
}

// play plays the events in their order, and returns what was wrong in the answers and how many were complete.
func (s *script) play(t *testing.T, kind registry.Strategy, events []event) (wrong []string, whole int) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		defer c.Close()
		st := &stage{t: t, c: c, kind: kind, texts: s.texts, states: []map[string]string{s.texts}, tokens: make(chan struct{}, 20), first: s.texts, isCold: s.cold}
		all := slices.Sorted(maps.Keys(s.texts))
		st.start(s.texts)
		if !s.cold {
			st.unbind()
			st.ask("before", "zero", all, s.texts)
			st.asked.Wait()
			<-time.After(time.Second) // until the server rests
			st.bind()
		}
		for _, e := range events {
			st.do(e)
			synctest.Wait()
		}
		st.unbind()
		st.asked.Wait()
		for _, name := range []string{"in the end", "in the end, again"} {
			st.ask(name, "one", all, s.texts)
			st.asked.Wait()
		}
		if wrong, whole = st.wrong, st.whole; !st.isCold && !st.last {
			wrong = append(wrong, "the last answer is not complete")
		}
	})
	return wrong, whole
}

// bind makes the server do only what the story lets it do.
func (s *stage) bind() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = false
	for len(s.tokens) > 0 {
		<-s.tokens
	}
}

func TestStoriesInEveryOrder(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/stories.txtar")
	if err != nil {
		t.Fatal(err)
	}
	played, whole := 0, 0
	for _, f := range archive.Files {
		s := parseScript(t, string(f.Data))
		for _, kind := range []registry.Strategy{registry.Versioned, registry.Pull} {
			t.Run(f.Name+"/"+string(kind), func(t *testing.T) {
				for _, events := range s.orders() {
					wrong, complete := s.play(t, kind, events)
					if played, whole = played+1, whole+complete; len(wrong) > 0 {
						t.Fatalf("in the order\n%s\n%s", lines(events), strings.Join(wrong, "\n"))
					}
				}
			})
		}
	}
	t.Logf("%d stories, played %d times; %d answers were complete", len(archive.Files), played, whole)
}
