package diagnostics

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A compiler is a fake that is pulled, and that checks what is on disk when it is
// told to: then it publishes a finding for each file that holds "moved".
type compiler struct {
	*fake
	root string
	runs int
}

func newCompiler(t *testing.T, c *Collector) *compiler {
	d := only(registry.Pull)
	d.AnnouncePull = true
	d.Unjudged = map[string]string{"unlinked": "the file is in no crate"}
	d.Disk = &registry.DiskCheck{Method: "run", Title: "compiling", Whole: true, Lacks: "only what is on disk is compiled"}
	f := newFake(c, d)
	f.identifiers, f.loaded = []string{""}, true
	f.def.Readiness = &registry.Readiness{Method: "status"}
	p := &compiler{fake: f, root: t.TempDir()}
	f.pull = func(_ context.Context, path, _, _ string) (protocol.Report, error) {
		_, text, _ := f.Document(path)
		if string(text) == "unlinked" {
			return protocol.Report{Items: []protocol.Diagnostic{{Code: "unlinked"}}}, nil
		}
		return protocol.Report{Items: errorsOf("quick " + string(text))}, nil
	}
	f.disk = func(context.Context) error { p.compile(20 * ms); return nil }
	return p
}

// compile publishes after a while, and then says that it is over.
func (p *compiler) compile(after time.Duration) {
	p.runs++
	later(after, func() { p.progress("begin") })
	later(2*after, func() {
		names, _ := filepath.Glob(filepath.Join(p.root, "*"))
		for _, name := range names {
			text, _ := os.ReadFile(name)
			p.push(name, -1, "compiled "+string(text))
		}
		p.progress("end")
	})
}

func (p *compiler) progress(kind string) {
	p.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: kind, Title: "compiling m"})
}

// write writes a file and returns it as a check would show it.
func (p *compiler) write(t *testing.T, name, text string) File {
	t.Helper()
	path := filepath.Join(p.root, name)
	lsptest.WriteFile(t, path, text)
	return p.file(path, text)
}

// What is on disk is judged by the check of the disk; what is not, only quickly,
// and the answer says so. A state that stands is not checked again.
func TestDiskCheck(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		a := p.write(t, "a", "one")
		for range 2 {
			answer, _ := check(t, c, a)
			expect(t, said(answer), "fresh 1: compiled one")
		}
		if p.runs != 1 {
			t.Errorf("checked %d times", p.runs)
		}
		answer, _ := check(t, c, p.file(a.Path, "two"))
		expect(t, said(answer), "partial 2: quick two")
		expect(t, answer.Reason, "only what is on disk is compiled")
		p.pull = func(context.Context, string, string, string) (protocol.Report, error) { return protocol.Report{}, nil }
		if _, r := check(t, c, p.file(a.Path, "well, perhaps")); r.Verdict != Unknown {
			t.Errorf("half of an answer is %s", r.Verdict)
		}
		answer, _ = check(t, c, p.write(t, "a", "three"))
		expect(t, said(answer), "fresh 4: compiled three")
	})
}

// A server that loads the project anew takes back what it had found: that is not its word
// on what was wrong before a change.
func TestTakenBackIsNotMended(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		a := p.write(t, "a", "one")
		check(t, c, a)
		p.push(a.Path, -1)
		p.disturb()
		_, r := check(t, c, p.write(t, "a", "one"))
		expect(t, listed(r.Remaining)+"|"+listed(r.New), "compiled one|")
		_, r = check(t, c, p.write(t, "a", "three"))
		expect(t, listed(r.Remaining)+"|"+listed(r.New)+"|"+listed(r.Fixed), "|compiled three|compiled one")
	})
}

// What a check of the disk finds in other files that were judged before is what was known of
// them when they change the next time.
func TestFoundInOthersIsKept(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		b := p.write(t, "b", "two")
		check(t, c, b)
		compile := p.disk
		p.disk = func(context.Context) error {
			later(20*ms, func() { p.progress("begin") })
			later(40*ms, func() { p.push(b.Path, -1, "broken by a"); p.progress("end") })
			return nil
		}
		check(t, c, p.write(t, "a", "one"))
		p.push(b.Path, -1, "broken by a", "said late")
		p.disk = compile
		_, r := check(t, c, p.write(t, "b", "three"))
		expect(t, listed(r.New)+"|"+listed(r.Fixed), "compiled three|broken by a, said late")
	})
}

// A check of the disk of a project that the server cannot load finds nothing, which is no
// word on what was wrong before.
func TestNothingFoundInTroubleIsNotMended(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		a := p.write(t, "a", "one")
		check(t, c, a)
		compile := p.disk
		p.trouble = "the project is not loaded"
		p.disk = func(context.Context) error {
			later(20*ms, func() { p.progress("begin") })
			later(40*ms, func() { p.push(a.Path, -1); p.progress("end") })
			return nil
		}
		check(t, c, p.write(t, "b", "two"))
		p.disk, p.trouble = compile, ""
		p.disturb()
		_, r := check(t, c, p.write(t, "a", "one"))
		expect(t, listed(r.Remaining)+"|"+listed(r.New), "compiled one|")
	})
}

func listed(list []Diagnostic) string {
	var messages []string
	for _, d := range list {
		messages = append(messages, d.Message)
	}
	return strings.Join(messages, ", ")
}

// A file that the server says it does not judge is not clean.
func TestUnjudgedFileIsUnavailable(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		answer, r := check(t, c, newCompiler(t, c).file("/w/a", "unlinked"))
		expect(t, answer.Reason, "the file is in no crate")
		if answer.Freshness != Unavailable || r.Verdict != LSPUnavailable {
			t.Errorf("%s, %s", answer.Freshness, r.Verdict)
		}
	})
}

// Files of one check share one check of the disk.
func TestDiskCheckIsShared(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		files := []File{p.write(t, "a", "one"), p.write(t, "b", "two")}
		report, err := c.Check(t.Context(), Request{Files: files})
		if err != nil || !report.Files[0].Fresh() || !report.Files[1].Fresh() || p.runs != 1 {
			t.Errorf("%v, %d runs, %+v", err, p.runs, report.Files)
		}
	})
}

// Nothing counts that a server says before it has loaded the project, nor what it
// found when it loads it anew meanwhile, for then it takes that back.
func TestDiskCheckWhileLoading(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		p.ready(false)
		later(100*ms, func() { p.ready(true) })
		start := time.Now()
		a := p.write(t, "a", "one")
		p.disk = func(context.Context) error {
			if p.compile(20 * ms); p.runs == 1 {
				later(30*ms, func() { p.ready(false) })
				later(60*ms, func() { p.push(a.Path, -1); p.ready(true) })
			}
			return nil
		}
		answer, _ := check(t, c, a)
		expect(t, said(answer), "fresh 1: compiled one")
		expectElapsed(t, start, 200*ms)
		if p.runs != 2 {
			t.Errorf("checked %d times", p.runs)
		}
	})
}

// A server that never says that it is ready is loading, not silent.
func TestNeverReadyIsIndexing(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		p.loaded = false
		answer, _ := check(t, c, p.write(t, "a", "one"))
		expect(t, said(answer), "indexing 1: ")
		expect(t, answer.Reason, "still loading the project")
	})
}

// A check of the disk that fails, does not begin, or leaves the server in trouble
// says nothing: the quick answer is what there is, with the reason.
func TestDiskCheckThatFails(t *testing.T) {
	for reason, spoil := range map[string]func(p *compiler){
		"no cargo":             func(p *compiler) { p.disk = func(context.Context) error { return errors.New("no cargo") } },
		errNotBegun.Error():    func(p *compiler) { p.disk = func(context.Context) error { return nil } },
		"Cargo.toml is broken": func(p *compiler) { p.trouble = "Cargo.toml is broken" },
	} {
		t.Run(reason, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				c.opts.FirstTouch = time.Minute
				p := newCompiler(t, c)
				spoil(p)
				answer, _ := check(t, c, p.write(t, "a", "one"))
				expect(t, said(answer), "partial 1: quick one")
				expect(t, answer.Reason, reason)
			})
		})
	}
}

// That an earlier check of the disk began says nothing of the next one.
func TestNextDiskCheckDoesNotBegin(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		c.opts.FirstTouch, c.opts.Timeout = time.Minute, time.Minute
		p := newCompiler(t, c)
		answer, _ := check(t, c, p.write(t, "a", "one"))
		expect(t, said(answer), "fresh 1: compiled one")
		p.disk = func(context.Context) error { return nil }
		answer, _ = check(t, c, p.write(t, "a", "two"))
		expect(t, said(answer), "partial 2: quick two")
		expect(t, answer.Reason, errNotBegun.Error())
	})
}

// Where the check of the disk only adds what is to be said of closed files, a text
// that is not on disk is judged whole; and the server hears of every save once.
func TestDiskCheckOfOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		d := only(registry.DiagnosisCommand)
		d.Disk = &registry.DiskCheck{Method: "build", Saves: true}
		f := newFake(c, d)
		p := &compiler{fake: f, root: t.TempDir()}
		f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
			_, text, _ := f.Document(path)
			f.out.Published(lsp.Published{Path: path, Items: errorsOf("mine " + string(text))})
			return nil, nil
		}
		f.disk = func(context.Context) error {
			p.push(filepath.Join(p.root, "other"), -1, "built")
			return nil
		}
		a := p.write(t, "a", "one")
		wide := func(file File) Report {
			t.Helper()
			report, err := c.Check(t.Context(), Request{Files: []File{file}, OthersToo: true})
			if err != nil {
				t.Fatal(err)
			}
			return report
		}
		report := wide(a)
		expect(t, said(report.Files[0].Answers[0]), "fresh 1: mine one")
		if len(report.Others) != 1 || f.saved != 1 {
			t.Errorf("others %+v, %d saves", report.Others, f.saved)
		}
		report = wide(p.file(a.Path, "two"))
		expect(t, said(report.Files[0].Answers[0]), "fresh 2: mine two")
		if f.saved != 1 {
			t.Errorf("%d saves", f.saved)
		}
		// What was written just now was saved when it was shown, which is enough.
		written := p.write(t, "a", "three")
		written.Saved = true
		expect(t, said(wide(written).Files[0].Answers[0]), "fresh 3: mine three")
		if f.saved != 2 {
			t.Errorf("%d saves after another that was written", f.saved)
		}
	})
}

// When the deadline comes before the check of the disk is over, what the server says
// without it is compared with what it said without it before: the words of the two differ.
func TestDeadlineBeforeDiskCheck(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		now := []string{"quick old"}
		p.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			return protocol.Report{Items: errorsOf(now...)}, nil
		}
		answer, _ := check(t, c, p.write(t, "a", "one"))
		expect(t, said(answer), "fresh 1: compiled one")
		p.disk = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		now = []string{"quick old", "quick new"}
		answer, r := check(t, c, p.write(t, "a", "one\ntwo"))
		expect(t, said(answer), "partial 2: quick old, quick new")
		expect(t, messages(r.New)+" beside "+messages(r.Remaining)+messages(r.Fixed), "quick new beside quick old")
	})
}

// A file that the server has in no project of its own is judged if its check of the disk
// finds something in it, and what that finds in others counts in any case.
func TestUnjudgedFileOnDisk(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		loose, other := p.write(t, "loose", "unlinked"), filepath.Join(p.root, "other")
		found := []string{"compiled loose"}
		p.disk = func(context.Context) error {
			later(ms, func() { p.progress("begin") })
			later(2*ms, func() {
				p.push(loose.Path, -1, found...)
				p.push(other, -1, "compiled other")
				p.progress("end")
			})
			return nil
		}
		for i, want := range []string{"fresh 1: compiled loose", "unavailable 1: "} {
			report := checkAll(t, c, loose)
			expect(t, said(report.Files[0].Answers[0]), want)
			if apart := report.Files[0].Apart(); apart != (i == 1) {
				t.Errorf("check %d: apart %v", i, apart)
			}
			if items := c.Known(nil); !slices.ContainsFunc(items, func(r FileReport) bool { return r.Path == other }) || !c.Reports(nil, p.key) {
				t.Errorf("check %d: %+v, all said %v", i, items, c.Reports(nil, p.key))
			}
			found = nil
			p.disturb()
		}
	})
}

// What a server says of a file that it does not judge, and what it finds in others, counts only if it did not
// load the project anew meanwhile: a file may be in none because one was deleted, and what was found is taken back.
func TestUnjudgedWhileLoadedAnew(t *testing.T) {
	for _, c := range []struct{ name, then, want string }{
		{"in no project afterwards either", "unlinked", "unavailable 1: "},
		{"in the project afterwards", "", "fresh 1: compiled loose"},
	} {
		t.Run(c.name, func(t *testing.T) {
			then, want := c.then, c.want
			inBubble(t, func(t *testing.T, c *Collector) {
				p := newCompiler(t, c)
				loose, other := p.write(t, "loose", "loose"), filepath.Join(p.root, "other")
				code := "unlinked"
				p.pull = func(context.Context, string, string, string) (protocol.Report, error) {
					if p.runs == 0 {
						p.ready(false) // it notices the deletion only while it answers
					}
					return protocol.Report{Items: []protocol.Diagnostic{{Code: code}}}, nil
				}
				p.disk = func(context.Context) error {
					p.runs++
					again := p.runs > 1
					later(ms, func() { p.progress("begin") })
					later(2*ms, func() {
						p.push(other, -1, "compiled other")
						if again && then == "" {
							p.push(loose.Path, -1, "compiled loose")
						}
						if !again {
							p.push(other, -1) // taken back
							code = then
						}
						p.progress("end")
						p.ready(true)
					})
					return nil
				}
				report := checkAll(t, c, loose)
				expect(t, said(report.Files[0].Answers[0]), want)
				type heard struct {
					runs   int
					apart  bool
					others string
					all    bool
				}
				got := heard{p.runs, report.Files[0].Apart(), "", c.Reports(nil, p.key)}
				for _, r := range c.Known(nil) {
					if r.Path == other {
						got.others += messages(r.Diagnostics)
					}
				}
				if diff := cmp.Diff(heard{2, then != "", "compiled other", true}, got, cmp.AllowUnexported(heard{})); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// A file that the server has in no project, while it cannot load the project, may be one that
// what was done to others concerns: what the project lacks is said of it.
func TestUnjudgedInTrouble(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		loose := p.write(t, "loose", "unlinked")
		p.disk = func(context.Context) error {
			later(ms, func() { p.progress("begin") })
			later(2*ms, func() { p.progress("end") })
			return nil
		}
		type heard struct {
			apart   bool
			missing string
		}
		listen := func() heard {
			file := checkAll(t, c, loose).Files[0]
			return heard{file.Apart(), file.Missing()}
		}
		if got, want := listen(), (heard{apart: true}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		p.trouble = "it failed to start:\nno manifest\nat line 1"
		p.disturb()
		if got, want := listen(), (heard{missing: "it failed to start: no manifest"}); got != want {
			t.Errorf("in trouble: %+v, want %+v", got, want)
		}
	})
}

// A server that does not judge a file, and begins to load anew after its check of the disk,
// takes back what it found in others: that these are mended is not known then.
func TestTakenBackInOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		other := p.write(t, "other", "broken")
		check(t, c, other)
		loose := p.file(filepath.Join(p.root, "loose"), "unlinked")
		lsptest.WriteFile(t, loose.Path, "unlinked")
		p.disk = func(context.Context) error {
			later(ms, func() { p.progress("begin") })
			later(2*ms, func() { p.progress("end") })
			return nil
		}
		p.barrier = func(context.Context, string) error {
			p.ready(false)
			p.push(other.Path, -1)
			return nil
		}
		report := checkAll(t, c, loose)
		if len(report.Others) > 0 || c.Reports(nil, p.key) {
			t.Errorf("%+v, all said %v", report.Others, c.Reports(nil, p.key))
		}
	})
}
