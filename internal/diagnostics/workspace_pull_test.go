package diagnostics

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// An everywhere is a workspace on disk with three files, all of which are checked.
type everywhere struct {
	*fake
	t     *testing.T
	c     *Collector
	root  string
	asked int // workspace/diagnostic
}

// whole runs a story with a server that publishes "opened" for each file that it is shown.
func whole(t *testing.T, story func(t *testing.T, e *everywhere)) {
	t.Helper()
	root := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.identifiers, f.touched = []string{""}, make(map[string]bool)
		f.shown = func(path string, version int32) { later(ms, func() { f.push(path, version, "opened") }) }
		story(t, &everywhere{f, t, c, root, 0})
	})
}

// answer says what workspace/diagnostic is answered with.
func (e *everywhere) answer(f func(previous map[protocol.DocumentURI]string, said func(...protocol.WorkspaceReport)) error) {
	e.pullWorkspace = func(_ context.Context, previous map[protocol.DocumentURI]string, said func([]protocol.WorkspaceReport)) error {
		e.asked++
		return f(previous, func(reports ...protocol.WorkspaceReport) { said(reports) })
	}
}

func (e *everywhere) report(name, id string, messages ...string) protocol.WorkspaceReport {
	return protocol.WorkspaceReport{URI: protocol.URIFromPath(filepath.Join(e.root, name)), Report: protocol.Report{ResultID: id, Items: errorsOf(messages...)}}
}

// expect checks all files, and compares what is said of each.
func (e *everywhere) expect(want map[string]string) {
	e.t.Helper()
	var files []File
	for _, name := range []string{"a", "b", "c"} {
		f := e.file(filepath.Join(e.root, name), "x")
		f.Everywhere = true
		files = append(files, f)
	}
	report, err := e.c.Check(e.t.Context(), Request{Files: files})
	if err != nil {
		e.t.Fatal(err)
	}
	got := make(map[string]string)
	for _, f := range report.Files {
		got[filepath.Base(f.Path)] = said(f.Answers[0])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		e.t.Error(diff)
	}
}

const opened = "fresh 1: opened"

// A server that judges the whole workspace is asked once, and no file is opened; nothing is asked while nothing has changed.
// When something has, it is told of its earlier reports, and "unchanged" stands for them.
func TestWholeWorkspaceIsAskedOnce(t *testing.T) {
	whole(t, func(t *testing.T, e *everywhere) {
		var told map[protocol.DocumentURI]string
		e.answer(func(previous map[protocol.DocumentURI]string, said func(...protocol.WorkspaceReport)) error {
			told = previous
			a := e.report("a", "1", "wrong")
			if e.asked > 1 {
				a.Unchanged, a.Items = true, nil
			}
			said(a)
			said(e.report("b", ""), e.report("c", "", "early"))
			said(e.report("c", "", "late"))
			return nil
		})
		want := map[string]string{"a": "fresh 0: wrong", "b": "fresh 0: ", "c": "fresh 0: late"}
		e.expect(want)
		e.expect(want)
		if e.opened != 0 || e.asked != 1 || len(told) != 0 {
			t.Errorf("opened %d files, asked %d times, with %v", e.opened, e.asked, told)
		}
		e.disturb()
		e.expect(want)
		if diff := cmp.Diff(map[protocol.DocumentURI]string{protocol.URIFromPath(filepath.Join(e.root, "a")): "1"}, told); diff != "" || e.asked != 2 || e.opened != 0 {
			t.Errorf("asked %d times, opened %d%s", e.asked, e.opened, diff)
		}
	})
}

// What the answer does not say of a file, or says of a text that it was shown, or calls unchanged without having said it, is no word on the
// file: it is opened. So is one that the server may know another text of, and one whose text at hand is not that on disk.
func TestWholeWorkspaceLeavesOut(t *testing.T) {
	whole(t, func(t *testing.T, e *everywhere) {
		shown, never := e.report("b", "", "of a shown text"), e.report("c", "2")
		version := int32(1)
		shown.Version, never.Unchanged = &version, true
		e.answer(func(_ map[protocol.DocumentURI]string, said func(...protocol.WorkspaceReport)) error {
			said(e.report("elsewhere", "", "wrong"), shown, never)
			return nil
		})
		e.expect(map[string]string{"a": opened, "b": opened, "c": opened})
	})
	all := func(e *everywhere) {
		e.answer(func(_ map[protocol.DocumentURI]string, said func(...protocol.WorkspaceReport)) error {
			said(e.report("a", "", "of disk"), e.report("b", "", "of disk"), e.report("c", "", "of disk"))
			return nil
		})
	}
	whole(t, func(t *testing.T, e *everywhere) {
		e.touched[filepath.Join(e.root, "a")] = true
		all(e)
		e.expect(map[string]string{"a": opened, "b": "fresh 0: of disk", "c": "fresh 0: of disk"})
	})
	whole(t, func(t *testing.T, e *everywhere) {
		if err := os.WriteFile(filepath.Join(e.root, "b"), []byte("y"), 0o600); err != nil {
			t.Fatal(err)
		}
		all(e)
		e.expect(map[string]string{"a": "fresh 0: of disk", "b": opened, "c": "fresh 0: of disk"})
	})
}

// A server whose state moves on is asked again, if it does not say that this is of no use; what it said before it refused does not count.
// After a refusal every file is opened.
func TestWholeWorkspaceRefused(t *testing.T) {
	refuse := func(code int, data string) error {
		return &jsonrpc.ResponseError{Code: code, Message: "no", Data: json.RawMessage(data)}
	}
	for name, c := range map[string]struct {
		err   error
		asked int
		said  string
	}{
		"retrigger":        {refuse(jsonrpc.CodeServerCancelled, `{"retriggerRequest":true}`), 2, "fresh 0: good"},
		"content modified": {refuse(jsonrpc.CodeContentModified, ``), 2, "fresh 0: good"},
		"no retrigger":     {refuse(jsonrpc.CodeServerCancelled, `{"retriggerRequest":false}`), 1, opened},
		"another refusal":  {refuse(-32603, ``), 1, opened},
	} {
		t.Run(name, func(t *testing.T) {
			whole(t, func(t *testing.T, e *everywhere) {
				e.answer(func(_ map[protocol.DocumentURI]string, said func(...protocol.WorkspaceReport)) error {
					if e.asked == 1 {
						said(e.report("a", "", "bad"), e.report("b", "", "bad"), e.report("c", "", "bad"))
						return c.err
					}
					said(e.report("a", "", "good"), e.report("b", "", "good"), e.report("c", "", "good"))
					return nil
				})
				e.expect(map[string]string{"a": c.said, "b": c.said, "c": c.said})
				if e.asked != c.asked {
					t.Errorf("asked %d times, want %d", e.asked, c.asked)
				}
			})
		})
	}
	whole(t, func(t *testing.T, e *everywhere) { // it never stops refusing
		e.answer(func(map[protocol.DocumentURI]string, func(...protocol.WorkspaceReport)) error {
			return refuse(jsonrpc.CodeContentModified, ``)
		})
		e.expect(map[string]string{"a": opened, "b": opened, "c": opened})
	})
}

// A server that keeps the request open until something changes is not waited for: what it said counts, and the rest is opened. What
// it said of a state that it takes back, or that has changed meanwhile, does not.
func TestWholeWorkspaceHeldOpen(t *testing.T) {
	hold := func(e *everywhere, meanwhile func()) {
		e.pullWorkspace = func(ctx context.Context, _ map[protocol.DocumentURI]string, said func([]protocol.WorkspaceReport)) error {
			e.asked++
			said([]protocol.WorkspaceReport{e.report("a", "", "wrong")})
			meanwhile()
			<-ctx.Done()
			return ctx.Err()
		}
	}
	whole(t, func(t *testing.T, e *everywhere) {
		hold(e, func() {})
		e.expect(map[string]string{"a": "fresh 0: wrong", "b": opened, "c": opened})
	})
	whole(t, func(t *testing.T, e *everywhere) {
		hold(e, e.out.Refreshed)
		e.expect(map[string]string{"a": opened, "b": opened, "c": opened})
	})
	whole(t, func(t *testing.T, e *everywhere) {
		hold(e, e.disturb)
		e.expect(map[string]string{"a": opened, "b": opened, "c": opened})
	})
}

// Where a server says that something keeps it from judging, what it says of the whole workspace is
// no word on a file: each is opened.
func TestWholeWorkspaceInTrouble(t *testing.T) {
	for name, c := range map[string]struct {
		trouble func(e *everywhere)
		want    string
	}{
		"none":             {func(*everywhere) {}, "fresh 0: of disk"},
		"the server's own": {func(e *everywhere) { e.trouble = "no manifest" }, "partial 1: opened"},
		"with these files": {func(e *everywhere) { e.unable = "too large" }, "unavailable 1: "},
		"its project": {func(e *everywhere) {
			e.def.Diagnostics.ProjectFiles = []string{"manifest"}
			e.push(filepath.Join(e.root, "manifest"), -1, "broken")
		}, "partial 1: opened"},
	} {
		t.Run(name, func(t *testing.T) {
			whole(t, func(t *testing.T, e *everywhere) {
				e.answer(func(_ map[protocol.DocumentURI]string, said func(...protocol.WorkspaceReport)) error {
					said(e.report("a", "", "of disk"), e.report("b", "", "of disk"), e.report("c", "", "of disk"))
					return nil
				})
				c.trouble(e)
				e.expect(map[string]string{"a": c.want, "b": c.want, "c": c.want})
				if e.asked != 1 {
					t.Errorf("asked about all files %d times", e.asked)
				}
			})
		})
	}
}
