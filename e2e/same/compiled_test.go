package same

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/e2e/judge"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// compiled is what the compiler said of baselines.
type compiled struct {
	// heads are the trees of commits, began that of the moment when the session began: nil if it was not
	// that of a commit, because then the session knows less of it.
	heads map[string]*moment
	began *moment
	// session is the last answer in the session.
	session answer
}

// A moment is a tree, and what the compiler finds in it.
type moment struct {
	files map[string]string
	found judge.Findings
}

// head returns the tree of HEAD.
func (h *history) head() *moment {
	h.t.Helper()
	id, err := exec.Command("git", "-C", h.Folder, "rev-parse", "HEAD^{tree}").Output()
	if err != nil {
		h.t.Fatal(err)
	}
	if m, ok := h.heads[string(id)]; ok {
		return m
	}
	then := *h.tree
	then.Root = filepath.Join(h.t.TempDir(), "head")
	if out, err := exec.Command("cp", "-a", h.Folder, then.Root).CombinedOutput(); err != nil {
		h.t.Fatalf("%s", out)
	}
	_ = os.RemoveAll(filepath.Join(then.Root, "target")) // a build of another folder
	lsptest.Git(h.t, then.Root, "checkout", "-q", "-f", "HEAD")
	lsptest.Git(h.t, then.Root, "clean", "-qfd")
	if text, err := os.ReadFile(filepath.Join(then.Root, "compile_commands.json")); err == nil {
		lsptest.WriteFile(h.t, filepath.Join(then.Root, "compile_commands.json"), strings.ReplaceAll(string(text), h.Folder, then.Root))
	}
	then.Look(h.t)
	m := &moment{then.Files, then.Ask(h.t)}
	for name, text := range m.files {
		m.files[name] = strings.ReplaceAll(text, then.Root, h.Folder)
	}
	if h.heads == nil {
		h.heads = make(map[string]*moment)
	}
	h.heads[string(id)] = m
	return m
}

// sessionBegan notes the texts with which the session began.
func (h *history) sessionBegan() {
	h.t.Helper()
	h.began = nil
	if output, err := exec.Command("git", "-C", h.Folder, "status", "--porcelain").Output(); err == nil && len(output) == 0 {
		h.began = h.head()
	}
}

// compile holds answers against the compiler: those of the command line, and of the session.
func (h *history) compile(warm, cold answer) {
	h.t.Helper()
	h.tree.Look(h.t)
	now := h.tree.Ask(h.t)
	all := h.askAll(h.Shop)
	apart := false // files that no compiler looks at by themselves
	for _, files := range []*[]result.File{&all.result.Files, &all.result.Others} {
		*files = slices.DeleteFunc(slices.Clone(*files), func(f result.File) bool {
			unseen := !slices.Contains(h.tree.Sources(), f.Path)
			apart = apart || unseen && len(f.Diagnostics) > 0
			return unseen
		})
	}
	head := h.head()
	h.hold("the command line", code.OfCheck(warm.result), head, now)
	h.hold("a process that just started", code.OfCheck(cold.result), head, now)
	var without []string
	if apart {
		without = append(without, code.VerdictOf)
	}
	nothing := &moment{make(map[string]string), make(judge.Findings)}
	h.hold("a check of all", code.OfCheck(withoutBaseline(all.result)), nothing, now, without...)
	if h.began != nil {
		h.hold("the session", code.OfSession(h.session.result), h.began, now, code.Unfixed)
	}
}

// withoutBaseline is an answer that was asked to compare with nothing, so that nothing is lacking.
func withoutBaseline(r result.Check) result.Check {
	r.Files, r.Others = slices.Clone(r.Files), slices.Clone(r.Others)
	for _, files := range [][]result.File{r.Files, r.Others} {
		for i := range files {
			files[i].Baseline = ""
		}
	}
	return r
}

// hold compares an answer with what the compiler says, but not in some kinds of mismatches.
func (h *history) hold(what string, a code.Answer, before *moment, now judge.Findings, without ...string) {
	h.t.Helper()
	h.tree.Forget()
	a.By = code.ByOnce
	c := code.ChangeTo(before.files, h.tree.Files)
	for name, text := range c.Texts {
		if _, was := before.files[name]; text == nil { // beside a file that is gone, only what was known before is called fixed
			without = append(without, code.Unfixed)
		} else if !was && slices.Contains(slices.Collect(maps.Values(c.Texts)), nil) { // it may be taken for one that is gone
			without = append(without, code.Unbroken)
		}
	}
	found := make(judge.Findings)
	maps.Copy(found, before.found)
	wrongs := h.tree.Compare(&a, c, code.AsMoved(found, c), now)
	if slices.Contains(blind, h.tree.Server) {
		without = append(without, code.OldAsNew, code.Unbroken, code.Unfixed)
	}
	wrongs = wrongs.Without(without...)
	if h.tree.Sort(h.tree.Name, strings.Join(h.done, "\n"), &a, wrongs) == code.Wrong {
		h.t.Errorf("%s: not what the compiler says:\n%s\n%s", what, code.Indented(wrongs.Lines()), code.Indented(a.Brief))
	}
}
