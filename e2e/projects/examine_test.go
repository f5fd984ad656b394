package projects

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// beExaminer makes this test binary one that asks about a set-up: what it says is the
// file to read that from.
const beExaminer = "E2E_EXAMINE"

func TestMain(m *testing.M) {
	lsptest.Main(m,
		func() { lsp.Supervise(os.Args) },
		func() {
			if file := os.Getenv(beExaminer); file != "" {
				if err := examine(file); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				os.Exit(0)
			}
		})
}

// A visit is what is asked of a set-up. Paths are relative to Root.
type visit struct {
	Root, State, User string
	// Servers are those that may run; none: whoever fits.
	Servers []string
	// Main are checked, and then once more with Wrong at the end of the first.
	Main  []string
	Wrong string
	// Edit replaces Before by After in a file.
	Edit, Before, After, Mode string
	// At is the place of a name, as FILE:LINE:COLUMN.
	At string
}

// An answer is what was said, as far as it is judged.
type answer struct {
	Verdict string
	// Errors are those that are new or were told with a file, as "file:line: message".
	Errors []string
	// Count is that of places.
	Count int
	// Said is all that a reader is told.
	Said string
	Took time.Duration
}

// answers are those of one set-up.
type answers struct{ Right, Broken, Edit, References, Doctor answer }

// deadline is what a loaded machine may take: how long an answer takes is not judged here.
const deadline = 100_000 // ms

// examine asks what a file says, and prints the answers.
func examine(file string) error {
	var v visit
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	cfg, problems := config.Load(config.Options{Root: v.Root, UserFile: v.User, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		return problems[0]
	}
	e, err := engine.New(engine.Options{Root: v.Root, Config: cfg, Only: v.Servers, StateFolder: v.State})
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second) // clangd finishes its index first
		defer cancel()
		_ = e.Close(ctx)
	}()
	// Asked once, and again for each line that it is sent.
	for again := bufio.NewScanner(os.Stdin); ; {
		a, err := v.ask(context.Background(), e)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(os.Stdout).Encode(a); err != nil {
			return err
		}
		if !again.Scan() {
			return again.Err()
		}
	}
}

func (v *visit) ask(ctx context.Context, e *engine.Engine) (a answers, err error) {
	main := filepath.Join(v.Root, v.Main[0])
	text, err := os.ReadFile(main)
	if err != nil {
		return a, err
	}
	a.Right = timed(func() answer { return v.check(ctx, e) })
	a.References = timed(func() answer {
		answered, err := api.References.Do(ctx, e, api.ReferencesRequest{
			Selector: api.Selector{At: v.At}, Limits: api.Limits{TimeoutMS: deadline},
		})
		return answer{Count: answered.Total, Said: said(render.Brief(&answered), err)}
	})
	a.Edit = timed(func() answer { return v.edit(ctx, e) })
	if err := os.WriteFile(main, append(bytes.Clone(text), v.Wrong...), 0o644); err != nil {
		return a, err
	}
	a.Broken = timed(func() answer { return v.check(ctx, e) })
	if err := os.WriteFile(main, text, 0o644); err != nil {
		return a, err
	}
	a.Doctor = timed(func() answer {
		answered, err := api.Doctor.Do(ctx, e, api.DoctorRequest{Files: v.Main, Limits: api.Limits{TimeoutMS: deadline}})
		return answer{Verdict: answered.Level, Said: said(render.Brief(&answered), err)}
	})
	return a, nil
}

func timed(ask func() answer) answer {
	began := time.Now()
	a := ask()
	a.Took = time.Since(began)
	return a
}

func (v *visit) check(ctx context.Context, e *engine.Engine) answer {
	answered, err := api.Check.Do(ctx, e, api.CheckRequest{Files: v.Main, TimeoutMS: deadline, Scope: "file", MaxBytes: -1})
	return answer{Verdict: answered.Verdict, Errors: errorsIn(answered.Files, answered.Others), Said: said(render.Brief(&answered), err)}
}

func (v *visit) edit(ctx context.Context, e *engine.Engine) answer {
	req := api.EditRequest{Edits: []api.FileEdit{{File: v.Edit, OldText: &v.Before, NewText: &v.After}}}
	req.Mode, req.TimeoutMS, req.MaxBytes = v.Mode, deadline, 1<<20
	answered, err := api.EditFiles.Do(ctx, e, req)
	return answer{Verdict: answered.Verdict, Errors: errorsIn(answered.Files, answered.Others), Said: said(render.Brief(&answered), err)}
}

func said(text string, err error) string {
	if err == nil {
		return text
	}
	return err.Error() + "\n" + result.ErrorOf(err).Hint
}

func errorsIn(lists ...[]result.File) (found []string) {
	for _, list := range lists {
		for _, f := range list {
			for _, d := range f.Diagnostics {
				if d.Severity == "error" {
					found = append(found, fmt.Sprintf("%s:%d: %s", f.Path, d.Line, d.Message))
				}
			}
		}
	}
	return found
}

// run asks about a set-up in a process of its own, and, if mend is not nil, once more after it.
func run(t *testing.T, v visit, environ []string, mend func()) (a, mended answers) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "visit.json")
	lsptest.WriteFile(t, file, string(text))
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Dir = v.Root
	cmd.Env = append(environ, beExaminer+"="+file, "GORACE=atexit_sleep_ms=0")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	in, out := lsptest.Piped(t, cmd)
	said := json.NewDecoder(out)
	failed := said.Decode(&a)
	if failed == nil && mend != nil {
		mend()
		_, _ = in.Write([]byte("\n")) // if it has ended, that is told below
		failed = said.Decode(&mended)
	}
	_ = in.Close()
	if err := errors.Join(failed, cmd.Wait()); err != nil {
		t.Fatalf("%v\n%s", err, complaints.String())
	}
	return a, mended
}

// place finds a name in a file, as FILE:LINE:COLUMN: the first time that the text around it
// stands there.
func place(t *testing.T, root, file, around, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), around)
	if !found || !strings.Contains(around, name) {
		t.Fatalf("%s has no %q", file, around)
	}
	before += around[:strings.Index(around, name)]
	line := before[strings.LastIndex(before, "\n")+1:]
	return fmt.Sprintf("%s:%d:%d", file, strings.Count(before, "\n")+1, len(line)+1)
}
