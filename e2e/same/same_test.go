package same

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// patience is for servers on a busy machine: nothing here is about time.
const patience = 180_000

// After any history of a project, the same question has the same answer: asked once or twice, by the
// command line or in a session that began before, of servers that run or that just started. What is wrong
// is what the compiler says.
//
// LSPINE_SAME is the number of steps, and LSPINE_SEED that of the first history (with 12 steps each).
func TestAnswersFollowFromTexts(t *testing.T) {
	steps, seed := number("LSPINE_SAME", 10), number("LSPINE_SEED", 1)
	for _, p := range projects {
		t.Run(p.server, func(t *testing.T) {
			lsptest.Require(t, p.server)
			for left, n := steps, seed; left > 0; left, n = left-12, n+1 {
				t.Run(fmt.Sprint("seed ", n), func(t *testing.T) { newHistory(t, p, uint64(n)).walk(min(left, 12)) })
			}
		})
	}
}

func number(variable string, otherwise int) int {
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return otherwise
	}
	return n
}

// A history is a random sequence of changes and questions.
type history struct {
	*enginetest.Shop
	t       *testing.T
	p       project
	random  *rand.Rand
	done    []string
	asked   int
	stashed bool
	// unknown counts the answers that were not known.
	unknown int
}

func newHistory(t *testing.T, p project, seed uint64) *history {
	archive := p.archive
	for _, f := range p.files {
		archive += "-- " + f.name + " --\n" + f.texts[0]
	}
	h := &history{Shop: enginetest.OpenReal(t, archive, p.server), t: t, p: p, random: rand.New(rand.NewPCG(seed, 42))}
	h.Git("init", "-q", "-b", "main")
	h.Git("add", ".")
	h.Git("commit", "-qm", "one")
	h.Git("checkout", "-q", "-b", "other")
	for _, f := range p.files {
		h.Write(f.name, h.textOf(f))
	}
	h.Git("commit", "-qam", "two", "--allow-empty")
	h.Git("checkout", "-q", "main")
	h.inSession()
	return h
}

func (h *history) textOf(f file) string { return f.texts[h.random.IntN(len(f.texts))] }

// walk makes so many steps, and asks after each.
func (h *history) walk(steps int) {
	for n := range steps {
		did := h.step()
		h.done = append(h.done, did)
		warm := h.ask(h.Shop)
		h.equal("asked again", warm, h.ask(h.Shop))
		h.inSession()
		if n%4 == 3 || n == steps-1 {
			h.coldAndCompiled(warm)
		}
		if h.t.Failed() {
			h.t.Logf("history:\n%s", strings.Join(h.done, "\n"))
			return
		}
	}
	h.t.Logf("%d of %d answers are not known", h.unknown, h.asked)
}

// step changes something, or asks something else, and says what.
func (h *history) step() string {
	f := h.p.files[h.random.IntN(len(h.p.files))]
	switch h.random.IntN(14) {
	case 0:
		text := h.textOf(f)
		if h.Exists(f.name) && h.Read(f.name) != text {
			enginetest.Do(h.t, h, api.EditFiles, api.EditRequest{
				Edits: []api.FileEdit{{File: f.name, Content: &text}}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: patience}},
			})
		}
		return fmt.Sprintf("edit %s: %q", f.name, text)
	case 1:
		h.Git("add", "-A")
		h.Git("commit", "-qm", "more", "--allow-empty")
		return "git commit"
	case 2:
		h.Git("checkout", "-q", ".")
		return "git checkout ."
	case 3:
		if h.stashed {
			h.Git("checkout", "-q", "-f", "HEAD")
			if exec.Command("git", "-C", h.Folder, "stash", "pop", "-q").Run() != nil { // it conflicts with a later commit
				h.Git("reset", "-q", "--hard")
				h.Git("stash", "drop", "-q")
			}
		} else if h.Git("add", "-A"); h.isChanged() {
			h.Git("stash", "-q")
		} else {
			return "nothing to stash"
		}
		h.stashed = !h.stashed
		return fmt.Sprint("git stash, now stashed: ", h.stashed)
	case 4:
		branch := []string{"main", "other"}[h.random.IntN(2)]
		h.Git("checkout", "-q", "-f", branch)
		return "git checkout -f " + branch
	case 5:
		if !h.Exists(f.name) {
			h.Write(f.name, f.texts[0])
			return "write again " + f.name
		}
		h.Remove(f.name)
		return "delete " + f.name
	case 6:
		names := []string{f.name, h.p.files[0].name}
		names = slices.DeleteFunc(names, func(name string) bool { return !h.Exists(name) })
		if len(names) > 0 {
			h.Check(api.CheckRequest{Files: names, TimeoutMS: patience})
		}
		return fmt.Sprint("check ", names)
	case 7:
		h.Shop = h.Reopen(func(*enginetest.Options) {})
		return "start again"
	case 8:
		return h.crash()
	case 9:
		return h.breakElsewhere(f)
	default:
		text := h.textOf(f)
		h.Write(f.name, text)
		return fmt.Sprintf("write %s: %q", f.name, text)
	}
}

// crash kills the servers.
func (h *history) crash() string {
	h.t.Helper()
	var killed []string
	for _, s := range enginetest.Do(h.t, h, api.Status, api.StatusRequest{}).Servers {
		if process, err := os.FindProcess(s.Pid); s.Pid > 0 && err == nil {
			_ = process.Kill()
			killed = append(killed, s.ID)
		}
	}
	return fmt.Sprint("kill ", killed)
}

// breakElsewhere lets another session change a file, ask, and take the change back.
func (h *history) breakElsewhere(f file) string {
	h.t.Helper()
	if !h.Exists(f.name) {
		return "nothing for another session to change"
	}
	before, text := h.Read(f.name), h.textOf(f)
	h.Write(f.name, text)
	if _, err := api.Check.Do(api.Call{Session: "another agent"}.In(h.t.Context()), h.Engine, api.CheckRequest{TimeoutMS: patience}); err != nil {
		h.t.Fatal(err)
	}
	h.Write(f.name, before)
	return fmt.Sprintf("another session writes %s, asks, and takes it back: %q", f.name, text)
}

func (h *history) isChanged() bool {
	output, err := exec.Command("git", "-C", h.Folder, "diff", "--cached", "--name-only").Output()
	if err != nil {
		h.t.Fatal(err)
	}
	return len(output) > 0
}

// An answer is what counts in a result: the verdict, and what is wrong in which file.
type answer struct {
	Verdict string
	New     []string
	Older   []string
	// Elsewhere is the number of older errors of other files.
	Elsewhere int
	unknown   bool
	brief     string
}

func (h *history) answerOf(r *result.Check) answer {
	a := answer{Verdict: r.Verdict, Elsewhere: r.OlderElsewhere, unknown: r.Incomplete, brief: render.Brief(r)}
	for _, f := range slices.Concat(r.Files, r.Others) {
		for _, d := range f.Diagnostics {
			said := fmt.Sprintf("%s:%d: %s", f.Path, d.Line, d.Message)
			if d.New || d.Standing {
				a.New = append(a.New, said)
			} else {
				a.Older = append(a.Older, said)
			}
		}
	}
	slices.Sort(a.New)
	slices.Sort(a.Older)
	if h.asked++; a.unknown {
		h.unknown++
	}
	return a
}

// ask asks what the command line asks, in a session of its own.
func (h *history) ask(s *enginetest.Shop) answer {
	h.t.Helper()
	call := api.Call{Session: fmt.Sprint("command line ", h.asked), Last: true}
	r, err := api.Check.Do(call.In(h.t.Context()), s.Engine, api.CheckRequest{Baseline: api.BaselineHead, CountOlder: true, TimeoutMS: patience, WaitLimitMS: patience})
	if err != nil {
		h.t.Fatal(err)
	}
	return h.answerOf(&r)
}

// inSession asks twice in a session that began before anything changed.
func (h *history) inSession() {
	h.t.Helper()
	var before answer
	for i := range 2 {
		r, err := api.Check.Do(api.Call{Session: "agent"}.In(h.t.Context()), h.Engine, api.CheckRequest{TimeoutMS: patience, WaitLimitMS: patience})
		if err != nil {
			h.t.Fatal(err)
		}
		a := h.answerOf(&r)
		a.Older, a.Elsewhere = nil, 0 // what is listed beside follows from what was told
		if i > 0 {
			h.equal("in a session, asked again", before, a)
		}
		before = a
	}
}

func (h *history) equal(what string, first, second answer) {
	h.t.Helper()
	if first.unknown || second.unknown {
		return
	}
	if diff := gocmp.Diff(first, second, gocmp.FilterPath(func(p gocmp.Path) bool {
		name := p.Last().String()
		return name == ".unknown" || name == ".brief"
	}, gocmp.Ignore())); diff != "" {
		h.t.Errorf("%s (-first +second):\n%s\nfirst:\n%s\nsecond:\n%s", what, diff, first.brief, second.brief)
	}
}

// coldAndCompiled compares with a process that just started, and with the compiler.
func (h *history) coldAndCompiled(warm answer) {
	h.t.Helper()
	once := h.Reopen(func(o *enginetest.Options) {
		o.Config, o.Only, o.Once = enginetest.Configure(h.t, h.Folder), []string{h.p.server}, true
	})
	cold := h.ask(once)
	if !h.p.blind {
		h.equal("a process that just started", warm, cold)
	} else if !cold.unknown && slices.ContainsFunc(warm.New, func(said string) bool { return !slices.Contains(cold.New, said) }) {
		h.t.Errorf("what is new is not said by a process that just started:\n%s\nand\n%s", warm.brief, cold.brief)
	}
	if h.p.compiler == "" {
		return
	}
	all, err := api.Check.Do(api.Call{Session: "all", Last: true}.In(h.t.Context()), h.Engine, api.CheckRequest{Files: []string{"."}, Baseline: api.BaselineNone, TimeoutMS: patience, WaitLimitMS: patience, MaxBytes: -1})
	if err != nil {
		h.t.Fatal(err)
	}
	said := filesOf(&all)
	compiled := h.compiled()
	if all.Incomplete {
		h.unknown++
		return
	}
	if h.p.partial && len(compiled) > 0 {
		said = slices.DeleteFunc(said, func(name string) bool { return !slices.Contains(compiled, name) })
	}
	if diff := gocmp.Diff(compiled, said); diff != "" {
		h.t.Errorf("files with errors (-compiler +answer):\n%s\n%s", diff, render.Brief(&all))
	}
}

func filesOf(r *result.Check) (names []string) {
	for _, f := range slices.Concat(r.Files, r.Others) {
		if slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return d.Severity == "error" }) {
			names = append(names, f.Path)
		}
	}
	slices.SortFunc(names, cmp.Compare[string])
	return slices.Compact(names)
}

var named = regexp.MustCompile(`(?m)^(?:\./)?([\w/]+\.\w+)[:(]\d`)

// compiled returns the files in which the compiler finds errors.
func (h *history) compiled() (names []string) {
	words := strings.Fields(h.p.compiler)
	command := exec.Command(words[0], words[1:]...)
	command.Dir = h.Folder
	output, _ := command.CombinedOutput() // it fails if there are errors
	for _, match := range named.FindAllStringSubmatch(string(output), -1) {
		names = append(names, match[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
