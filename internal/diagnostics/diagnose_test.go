package diagnostics

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// diagnoses makes a server that is sent a command for each file, and knows what a change means for
// others once it diagnosed the file that changed. Which files it was asked about is in asked.
func diagnoses(c *Collector, asked *[]string) *fake {
	f := newFake(c, only(registry.DiagnosisCommand))
	f.def.Quirks, f.def.Diagnostics.ClosedFiles = []registry.Quirk{registry.DiagnoseChanged}, registry.ClosedPushes
	f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
		f.mu.Lock()
		*asked = append(*asked, path)
		f.mu.Unlock()
		f.push(path, -1)
		return nil, nil
	}
	return f
}

// What a change of one open document means for another is asked after the first
// was diagnosed itself.
func TestDiagnoseChangedFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.DiagnosisCommand))
		f.def.Quirks = []registry.Quirk{registry.DiagnoseChanged}
		var asked []string
		f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
			asked = append(asked, path)
			f.push(path, -1)
			return nil, nil
		}
		check(t, c, f.file("/w/a", "x"))
		if _, err := f.Sync("/w/a", []byte("y")); err != nil {
			t.Fatal(err)
		}
		check(t, c, f.file("/w/b", "x"))
		expect(t, strings.Join(asked, " "), "/w/a /w/a /w/b")
	})
}

// What the change of the file that is asked about means for other open documents is asked after the
// file was diagnosed, and only where all files are wanted; what was diagnosed before another that
// changed is asked again.
func TestDiagnoseTheRestLast(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		var asked []string
		f := diagnoses(c, &asked)
		for _, path := range []string{"/w/a", "/w/b"} {
			check(t, c, f.file(path, "x"))
		}
		for _, change := range []struct{ beside, want string }{{"", "/w/a /w/b"}, {"/w/b", "/w/b /w/a /w/b"}} {
			if change.beside != "" {
				if _, err := f.Sync(change.beside, []byte("z")); err != nil {
					t.Fatal(err)
				}
			}
			asked = nil
			checkAll(t, c, f.file("/w/a", "y"+change.beside))
			expect(t, strings.Join(asked, " "), change.want)
		}
		for _, path := range []string{"/w/b", "/w/c"} { // both, and not the file that is asked about
			if _, err := f.Sync(path, []byte("both")); err != nil {
				t.Fatal(err)
			}
		}
		asked = nil
		checkAll(t, c, f.file("/w/a", "y/w/b"))
		slices.Sort(asked[:2])
		slices.Sort(asked[3:])
		expect(t, strings.Join(asked, " "), "/w/b /w/c /w/a /w/b /w/c")
		asked = nil
		check(t, c, f.file("/w/a", "alone"))
		expect(t, strings.Join(asked, " "), "/w/a")
	})
}

// While a document that changed is being diagnosed, nobody is asked about another: it would be judged
// by the text from before. A caller who leaves does not keep the others from it.
func TestDiagnoseWaitsForWhatChanged(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		var asked []string
		f := diagnoses(c, &asked)
		check(t, c, f.file("/w/b", "x"))
		check(t, c, f.file("/w/a", "x"))
		answers, plain := make(chan struct{}), f.command
		f.command = func(ctx context.Context, path string) ([]protocol.Diagnostic, error) {
			if path == "/w/a" {
				f.mu.Lock()
				asked = append(asked, "begin")
				f.mu.Unlock()
				<-answers
			}
			return plain(ctx, path)
		}
		asked = nil
		done := make(chan struct{})
		go func() {
			defer close(done)
			check(t, c, f.file("/w/a", "y"))
		}()
		synctest.Wait()
		left, leave := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() {
			_, err := c.Check(left, Request{Files: []File{f.file("/w/b", "y")}})
			gone <- err
		}()
		synctest.Wait()
		leave()
		if err := <-gone; err == nil {
			t.Error("who left has an answer")
		}
		second := make(chan struct{})
		go func() {
			defer close(second)
			check(t, c, f.file("/w/b", "z"))
		}()
		synctest.Wait()
		expect(t, strings.Join(asked, " "), "begin")
		close(answers)
		<-done
		<-second
		expect(t, strings.Join(asked, " "), "begin /w/a /w/b")
	})
}

// Files that are asked about together have each open document diagnosed once more after all that changed,
// and not once more for each of them: who needs the same waits for it. If who began it leaves, another
// carries it out.
func TestDiagnoseTheRestOnceForAll(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		var asked []string
		f := diagnoses(c, &asked)
		const n = 20
		var files []File
		for i := range n {
			files = append(files, f.file(fmt.Sprintf("/w/%d", i), "x"))
		}
		for _, file := range checkAll(t, c, files...).Files {
			if file.Answers[0].Freshness != Fresh {
				t.Errorf("%s is %s", file.Path, file.Answers[0].Freshness)
			}
		}
		// The others that changed, each itself, and the others again.
		if len(asked) > 3*n {
			t.Errorf("%d files are diagnosed %d times", n, len(asked))
		}

		asked = nil
		files[0].Content = []byte("y")
		checkAll(t, c, files[0])
		if first := asked[0]; first != "/w/0" || len(asked) != n {
			t.Errorf("after a change of /w/0, %s is diagnosed first, and %d files", first, len(asked))
		}
	})
}

func TestDiagnoseTheRestForWhoStays(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		var asked []string
		f := diagnoses(c, &asked)
		for _, path := range []string{"/w/a", "/w/b", "/w/c"} {
			check(t, c, f.file(path, "x"))
		}
		answers, plain := make(chan struct{}), f.command
		f.command = func(ctx context.Context, path string) ([]protocol.Diagnostic, error) {
			if path == "/w/c" {
				select {
				case <-answers:
				case <-ctx.Done():
					return nil, ctx.Err()
				}
			}
			return plain(ctx, path)
		}
		left, leave := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() {
			_, err := c.Check(left, Request{Files: []File{f.file("/w/a", "y")}, OthersToo: true})
			gone <- err
		}()
		synctest.Wait()
		stays := make(chan Report, 1)
		go func() { stays <- checkAll(t, c, f.file("/w/b", "x")) }()
		synctest.Wait()
		asked = nil
		leave()
		if err := <-gone; err == nil {
			t.Error("who left has an answer")
		}
		synctest.Wait()
		close(answers)
		if answer := (<-stays).Files[0].Answers[0]; answer.Freshness != Fresh {
			t.Errorf("who stayed has an answer that is %s", answer.Freshness)
		}
		slices.Sort(asked)
		expect(t, strings.Join(asked, " "), "/w/a /w/c")
	})
}
