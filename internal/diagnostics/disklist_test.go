package diagnostics

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// newBuilder returns a server whose check of the disk is a build that lists what it finds in closed files.
func newBuilder(t *testing.T, c *Collector) *compiler {
	d := only(registry.DiagnosisCommand)
	d.Disk = &registry.DiskCheck{Method: "build", Saves: true, List: &registry.DiskList{Clean: "1", Broken: "2", Logged: "."}}
	f := newFake(c, d)
	f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
		_, text, _ := f.Document(path)
		f.out.Published(lsp.Published{Path: path, Items: errorsOf("mine " + string(text))})
		return nil, nil
	}
	f.disk = func(context.Context) error { return nil }
	return &compiler{fake: f, root: t.TempDir()}
}

// wide checks a file and all that it may concern, and returns the answer, the errors in others and how long it took.
func (p *compiler) wide(t *testing.T, c *Collector, file File) (a Answer, others string, took time.Duration) {
	t.Helper()
	began := time.Now()
	report, err := c.Check(t.Context(), Request{Files: []File{file}, OthersToo: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Others {
		others += filepath.Base(r.Path) + ": " + messages(r.Diagnostics) + "; fixed " + messages(r.Fixed) + "."
	}
	return report.Files[0].Answers[0], others, time.Since(began)
}

// What a build lists is waited for until it is published, and so is what was mended: an answer without it would
// take broken files for clean ones.
func TestListedErrorsAreWaitedFor(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newBuilder(t, c)
		other := filepath.Join(p.root, "other")
		p.listed = map[string][]string{other: {"b", "a"}}
		p.disk = func(context.Context) error {
			p.push(other, -1, "b")
			later(700*ms, func() { p.push(other, -1, "a", "b ") })
			return nil
		}
		answer, others, took := p.wide(t, c, p.write(t, "a", "one"))
		expect(t, said(answer)+"|"+others, "fresh 1: mine one|other: a, b ; fixed .")
		if took != 700*ms {
			t.Errorf("it took %v", took)
		}
		p.listed = map[string][]string{}
		p.disk = func(context.Context) error {
			later(300*ms, func() { p.push(other, -1) })
			return nil
		}
		answer, others, took = p.wide(t, c, p.write(t, "a", "two"))
		expect(t, said(answer)+"|"+others, "fresh 2: mine two|other: ; fixed a, b .")
		if took != 300*ms {
			t.Errorf("it took %v", took)
		}
	})
}

// Of files that are open the documents are judged, and not what is on disk: what a build lists of them is not
// waited for. Nor are warnings listed.
func TestListedErrorsOfOpenFiles(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newBuilder(t, c)
		a := p.write(t, "a", "one")
		p.listed = map[string][]string{a.Path: {"as it was on disk"}}
		p.disk = func(context.Context) error {
			p.out.Published(lsp.Published{Path: filepath.Join(p.root, "other"), Items: []protocol.Diagnostic{
				with(at(0, "only a warning"), func(d *protocol.Diagnostic) { d.Severity = protocol.SeverityWarning }),
			}})
			return nil
		}
		if answer, _, took := p.wide(t, c, a); answer.Freshness != Fresh || took != 0 {
			t.Errorf("%s after %v", said(answer), took)
		}
	})
}

// A server that does not publish what it lists leaves the answer partial, with the file named. It may never do
// so: for that file it is not waited for again, until what it publishes and lists is the same once.
func TestListedErrorsThatAreNotPublished(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newBuilder(t, c)
		other := filepath.Join(p.root, "other")
		p.listed = map[string][]string{other: {"never said"}}
		step := func(text, want string, wait time.Duration) {
			t.Helper()
			answer, _, took := p.wide(t, c, p.write(t, "a", text))
			expect(t, string(answer.Freshness)+" "+answer.Reason, want)
			if took != wait {
				t.Errorf("%s: it took %v, want %v", text, took, wait)
			}
		}
		c.opts.Timeout, c.opts.FirstTouch = time.Minute, time.Minute
		lost := "partial the server did not publish what it found in other"
		step("one", lost, listGrace)
		step("two", "fresh ", 0)
		p.push(other, -1, "never said")
		step("three", "fresh ", 0)
		p.push(other, -1)
		step("four", lost, listGrace)
	})
}

// Where the build fails, what the change did to closed files is not known; of the file itself the answer stands.
func TestBuildThatFails(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newBuilder(t, c)
		p.disk = func(context.Context) error { return errors.New("no build today") }
		answer, _, _ := p.wide(t, c, p.write(t, "a", "one"))
		expect(t, said(answer)+": "+answer.Reason, "partial 1: mine one: no build today")
	})
}
