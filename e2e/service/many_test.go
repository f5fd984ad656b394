//go:build unix

package service

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
)

// A language has files of one line that is right or names what is not defined.
type language struct {
	server, file    string // file is a format of a number
	broken, correct string
}

var languages = []language{
	{"gopls", "f%d.go", "package m\n\nvar V%[1]d int = undefined%[2]d\n", "package m\n\nvar V%[1]d int = %[2]d\n"},
	{"typescript", "f%d.ts", "export const v%[1]d: number = undefined%[2]d;\n", "export const v%[1]d: number = %[2]d;\n"},
	{"pyright", "f%d.py", "v%[1]d: int = undefined%[2]d\n", "v%[1]d: int = %[2]d\n"},
	// Not beside the Go files: cgo would want them.
	{"clangd", "cc/f%d.cc", "int v%[1]d = undefined%[2]d;\n", "int v%[1]d = %[2]d;\n"},
	{"toy", "f%d.toy", "use undefined%[2]d\n", "def defined%[1]dx%[2]d\n"},
}

// text is what a file holds; number is in what is wrong with it.
func (l *language) text(file, number int, broken bool) string {
	if broken {
		return fmt.Sprintf(l.broken, file, number)
	}
	return fmt.Sprintf(l.correct, file, number)
}

const projects = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- package.json --\n{\"name\":\"t\",\"version\":\"1.0.0\"}\n" +
	"-- tsconfig.json --\n{\"compilerOptions\":{\"strict\":true,\"module\":\"commonjs\",\"noEmit\":true},\"include\":[\"*.ts\"]}\n" +
	"-- pyrightconfig.json --\n{}\n-- compile_flags.txt --\n-std=c++17\n-- toy.root --\n"

// patient are deadlines that no machine is too slow for.
var patient = map[string]any{"diagnosticTimeout": 120_000, "firstTouchTimeout": 240_000}

// Two hundred checks in flight over three servers, some canceled at any moment, one of the
// servers killed among them: each is answered, with what its own file says, with nothing, or
// with its cancellation, and the rest of the session is as good as new.
//
// Requirement: REQ-CONC-010, REQ-CONC-020, REQ-LIFE-070, REQ-LIFE-090, REQ-LANG-040, REQ-TIME-080, REQ-GRACE-050, REQ-ARCH-090,
// BR-13, BR-14, BR-20, BR-82, BR-85, EC-5, EC-9, EC-14, EC-46.
func TestManyChecksAtOnce(t *testing.T) {
	const checks, files = 200, 20
	three := languages[:3]
	root := lsptest.Workspace(t, projects)
	for i := range three {
		lsptest.Require(t, three[i].server)
		for n := range files {
			lsptest.WriteFile(t, filepath.Join(root, fmt.Sprintf(three[i].file, n)), three[i].text(n, n, true))
		}
	}
	c := begin(t, command(t, bootstrap(t, root, patient)))
	path := func(l *language, n int) string { return filepath.Join(root, fmt.Sprintf(l.file, n)) }
	for i := range three {
		if got := c.check(path(&three[i], 0)); len(got) != 1 {
			t.Fatalf("%s: %v: %s", three[i].server, got, c.stderr)
		}
	}
	victim := 0
	for _, s := range call[[]struct {
		ID  string `json:"id"`
		PID int    `json:"serverPid"`
	}](c, "lsp/status", nil) {
		if s.ID == "pyright" {
			victim = s.PID
		}
	}
	process, err := os.FindProcess(victim)
	if err != nil || victim == 0 {
		t.Fatalf("%d: %v", victim, err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	var mu sync.Mutex
	outcomes := make(map[string]int)
	var asking sync.WaitGroup
	for i := range checks {
		if i == checks/2 {
			if err := process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
		l, n := &three[i%len(three)], random.IntN(files)
		ctx, cancel := context.WithCancel(t.Context())
		if random.IntN(4) == 0 {
			if random.IntN(2) == 0 {
				cancel()
			} else {
				asking.Go(cancel)
			}
		}
		asking.Go(func() {
			defer cancel()
			var got []finding
			err := c.ask(ctx, "lsp/checkFile", map[string]string{"filePath": path(l, n)}, &got)
			outcome := "findings"
			var response *jsonrpc.ResponseError
			switch {
			case errors.Is(err, context.Canceled), errors.As(err, &response) && response.Code == jsonrpc.CodeRequestCancelled:
				outcome = "canceled"
			case err != nil:
				outcome = err.Error()
			case len(got) == 0 && l.server == "pyright":
				outcome = "nothing of the killed one"
			case len(got) != 1 || got[0].File != fmt.Sprintf(l.file, n) || !strings.Contains(got[0].Message, fmt.Sprintf("undefined%d", n)):
				outcome = fmt.Sprintf("%s of %d: %v", l.server, n, got)
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[outcome]++
		})
	}
	asking.Wait()
	t.Log(outcomes)
	answered := 0
	for _, usual := range []string{"findings", "canceled", "nothing of the killed one"} {
		answered += outcomes[usual]
	}
	if answered != checks || outcomes["findings"] == 0 || outcomes["canceled"] == 0 {
		t.Errorf("%d of %d answers: %v", answered, checks, outcomes)
	}
	for i := range three {
		want := 1
		if three[i].server == "pyright" {
			want = 0
		}
		for n := range files {
			if got := c.check(path(&three[i], n)); len(got) != want {
				t.Errorf("%s: %v", path(&three[i], n), got)
			}
		}
	}
	for _, s := range call[[]struct{ ID, State string }](c, "lsp/status", nil) {
		if s.ID == "pyright" && s.State != "broken" || s.ID == "gopls" && s.State != "ok" {
			t.Errorf("%+v", s)
		}
	}
}

// An hour of an agent's work: two thousand edits over five servers, each checked, with epochs
// and all that is known in between. Every answer is about the text on disk, and the memory of
// the service does not grow.
//
// Requirement: REQ-TIME-060, REQ-KNOWN-010, REQ-KNOWN-020, REQ-LIFE-060, REQ-CONTENT-020, REQ-DIAG-045, REQ-EXCL-040,
// BR-24, BR-36, BR-79, BR-83, EC-12, EC-43.
func TestLongSession(t *testing.T) {
	edits := 2000
	if testing.Short() {
		edits = 200
	}
	const files = 6
	root := lsptest.Workspace(t, projects)
	for i := range languages {
		if languages[i].server != "toy" {
			lsptest.Require(t, languages[i].server)
		}
	}
	c := begin(t, command(t, bootstrap(t, root, patient, newToy(t, lsptest.Script{}))))
	random := rand.New(rand.NewPCG(1, 1))
	broken := make(map[string]string) // by path, what its error names
	memory := 0
	for i := range edits {
		l, n := &languages[i%len(languages)], random.IntN(files)
		path := filepath.Join(root, fmt.Sprintf(l.file, n))
		wrong := random.IntN(2) == 0
		lsptest.WriteFile(t, path, l.text(n, i, wrong))
		got := c.check(path)
		delete(broken, path)
		if wrong {
			broken[path] = fmt.Sprintf("undefined%d", i)
		}
		if wrong != (len(got) == 1) || wrong && !strings.Contains(got[0].Message, broken[path]) {
			t.Fatalf("edit %d of %s: %v, want %q: %s", i, path, got, broken[path], c.stderr)
		}
		if i%20 == 0 {
			epoch := call[int](c, "lsp/getDiagnosticEpoch", nil)
			known := make(map[string]string)
			for path, list := range call[map[string][]finding](c, "lsp/diagnosticsAfter", map[string]int{"afterEpoch": epoch - 1, "waitMs": 10_000}) {
				known[path] = list[0].Message[strings.Index(list[0].Message, "undefined"):]
				if named := broken[path]; strings.Contains(list[0].Message, named) {
					known[path] = named
				}
			}
			if diff := cmp.Diff(broken, known); diff != "" {
				t.Fatalf("edit %d: what is wrong, and what is known:\n%s", i, diff)
			}
		}
		if i == edits/4 {
			memory = resident(t, c.cmd.Process.Pid)
		}
	}
	now := resident(t, c.cmd.Process.Pid)
	t.Logf("memory: %d KiB after %d edits, %d KiB after %d", memory, edits/4, now, edits)
	if now > memory*3/2+20<<10 {
		t.Errorf("memory grows: %d KiB after %d edits, %d KiB after %d", memory, edits/4, now, edits)
	}
}

// resident returns the memory of a process in KiB.
func resident(t *testing.T, pid int) (kib int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		lsptest.Skip(t, "memory is measured on Linux only")
	}
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kib); err == nil {
			return kib
		}
	}
	t.Fatal("no VmRSS")
	return 0
}
