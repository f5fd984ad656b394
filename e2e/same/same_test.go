package same

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// patience is for servers on a busy machine: nothing here is about time.
const patience = 180_000

// perHistory is how many steps one history has.
const perHistory = 12

// After any history of a project, the same question has the same answer: asked once or twice, by the
// command line or in a session that began before, of servers that run or that just started. What is wrong
// is what the compiler says.
//
// LSPINE_SAME is the number of steps, and LSPINE_SEED that of the first history (with 12 steps each).
func TestAnswersFollowFromTexts(t *testing.T) {
	for _, p := range append(slices.Clone(projects), mixed("gopls", "typescript-language-server", "pyright")) {
		t.Run(p.server, func(t *testing.T) {
			histories(t, p.server, 8, func(t *testing.T, seed uint64) *history { return newHistory(t, p.planted(t), p.draw, seed) })
		})
	}
}

// The same holds for real code, which is changed as people do, and for the usual layouts of projects. Without
// LSPINE_SAME, one small project for each server has a short history.
func TestAnswersAboutRealCodeFollowFromTexts(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("..", "code", "testdata", "*.txt"))
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no projects", err)
	}
	for _, path := range archives {
		p := code.Read(t, path)
		if os.Getenv("LSPINE_SAME") == "" && (p.Long || len(p.Real) == 0) {
			continue
		}
		for _, name := range p.Servers {
			server, large := strings.CutSuffix(name, "+large")
			if large && os.Getenv("LSPINE_SAME") == "" {
				continue
			}
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				histories(t, server, 2, func(t *testing.T, seed uint64) *history {
					h := newHistory(t, code.Plant(t, p, server), drawReal, seed)
					if large {
						h.Config.Settings.LargeProjectFiles = 1
					}
					return h
				})
			})
		}
	}
}

// histories walks as many steps as are asked for.
func histories(t *testing.T, server string, otherwise int, begin func(t *testing.T, seed uint64) *history) {
	for one := range strings.SplitSeq(server, ",") {
		lsptest.Require(t, one)
	}
	steps, seed := number("LSPINE_SAME", otherwise), number("LSPINE_SEED", 1)
	for left, n := steps, seed; left > 0; left, n = left-perHistory, n+1 {
		t.Run(fmt.Sprint("seed ", n), func(t *testing.T) { begin(t, uint64(n)).walk(min(left, perHistory)) })
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
	t      *testing.T
	tree   *code.Tree
	random *rand.Rand
	// draw makes up a change of the present files, and says which.
	draw    func(h *history) (string, code.Change)
	done    []string
	stashed bool
	compiled
	// asked counts answers, unknown those that were not known.
	asked, unknown int
	// reasons are why answers were not known, by step and what was said.
	reasons []string
}

func newHistory(t *testing.T, tree *code.Tree, draw func(*history) (string, code.Change), seed uint64) *history {
	h := &history{t: t, tree: tree, draw: draw, random: rand.New(rand.NewPCG(seed, 42))}
	h.Shop = enginetest.OpenWith(t, enginetest.Options{
		Root: tree.Root, Config: h.configuration(), Only: strings.Split(tree.Server, ","), State: t.TempDir(), StateFolder: t.TempDir(),
	})
	h.Git("init", "-q", "-b", "main")
	h.Write(".git/info/exclude", code.Excluded)
	h.Git("config", "core.autocrlf", "false")
	h.Git("add", ".")
	h.Git("commit", "-qm", "one")
	h.Git("checkout", "-q", "-b", "other")
	for range 3 {
		_, c := h.drawn()
		c.Write(t, tree.Root)
	}
	h.Git("add", "-A")
	h.Git("commit", "-qm", "two", "--allow-empty")
	h.Git("checkout", "-q", "main")
	h.inSession()
	h.sessionBegan()
	return h
}

// configuration is that of the folder, for a machine that may be slow.
func (h *history) configuration() *config.Config {
	h.t.Helper()
	cfg, problems := config.Load(config.Options{Root: h.tree.Root, Environ: []string{"LSPINE_TRUST=always"}, Host: h.tree.Host})
	if len(problems) > 0 {
		h.t.Fatal(problems)
	}
	s := &cfg.Settings
	s.RequestTimeout, s.DiagnosticTimeout, s.FirstTouchTimeout = 2*time.Minute, 2*time.Minute, 2*time.Minute
	return cfg
}

// drawn makes up a change of the files as they are on disk.
func (h *history) drawn() (string, code.Change) {
	h.t.Helper()
	h.tree.Look(h.t)
	var did string
	var c code.Change
	ok := false
	if h.random.IntN(3) == 0 {
		did, c, ok = h.rudely()
	}
	if !ok {
		did, c = h.draw(h)
	}
	h.fit(c)
	maps.DeleteFunc(c.Texts, func(name string, text *string) bool {
		present, there := h.tree.Files[name]
		return there == (text != nil) && (text == nil || present == *text)
	})
	return did, c
}

// drawReal changes code, or takes a file back to what it was.
func drawReal(h *history) (string, code.Change) {
	changed := code.ChangeTo(h.tree.Files, h.tree.Base)
	sources := h.tree.Sources()
	names := slices.DeleteFunc(changed.Names(), func(name string) bool { // what servers and compilers write stays
		return changed.Texts[name] == nil && !slices.Contains(sources, name)
	})
	if len(names) > 0 && h.random.IntN(3) == 0 {
		name := names[h.random.IntN(len(names))]
		return "take back " + name, code.Change{Texts: map[string]*string{name: changed.Texts[name]}}
	}
	text, c, _ := h.tree.Draw(h.random)
	return text, c
}

// walk makes so many steps, and asks after each.
func (h *history) walk(steps int) {
	defer func() {
		h.t.Logf("%d steps, %d answers, %d of them not known; held against compilers: %v", len(h.done), h.asked, h.unknown, h.tree.Tally)
		if len(h.reasons) > 0 {
			h.t.Logf("not known:\n%s\nhistory:\n%s", strings.Join(h.reasons, "\n"), strings.Join(h.done, "\n"))
		}
	}()
	for n := range steps {
		h.done = append(h.done, h.step())
		warm := h.ask(h.Shop)
		h.equal("asked again", warm, h.ask(h.Shop))
		h.inSession()
		if n%4 == 3 || n == steps-1 {
			h.cold(warm)
		}
		if h.t.Failed() {
			h.t.Logf("history:\n%s", strings.Join(h.done, "\n"))
			return
		}
	}
}

// git runs git and reports whether it could do what it was asked.
func (h *history) git(args ...string) bool {
	return exec.Command("git", append([]string{"-C", h.Folder}, args...)...).Run() == nil
}

// force has git do something, without the files that it does not know if they are in the way.
func (h *history) force(args ...string) {
	h.t.Helper()
	if !h.git(args...) {
		h.Git("clean", "-qfd")
		h.Git(args...)
	}
}

// others lets another session ask.
func (h *history) others(session string) {
	h.t.Helper()
	if _, err := api.Check.Do(api.Call{Session: session}.In(h.t.Context()), h.Engine, api.CheckRequest{TimeoutMS: patience}); err != nil {
		h.t.Fatal(err)
	}
}
