package same

import (
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/lspine/lspine/e2e/code"
	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// step changes something, or asks something else, and says what.
func (h *history) step() string {
	h.t.Helper()
	switch h.random.IntN(19) {
	case 0, 1:
		return h.edit()
	case 2:
		h.Git("add", "-A")
		h.Git("commit", "-qm", "more", "--allow-empty")
		return "git commit"
	case 3:
		h.force("checkout", "-q", ".")
		return "git checkout ."
	case 4:
		return h.stash()
	case 5:
		branch := []string{"main", "other"}[h.random.IntN(2)]
		h.force("checkout", "-q", "-f", branch)
		return "git checkout -f " + branch
	case 6:
		return h.checkSome()
	case 7:
		h.Check(api.CheckRequest{Files: []string{"."}, TimeoutMS: patience})
		return "check all"
	case 8:
		h.Shop = h.Reopen(func(*enginetest.Options) {})
		h.inSession()
		h.sessionBegan()
		return "start again"
	case 9:
		return h.crash()
	case 10:
		return h.breakElsewhere()
	case 11:
		<-time.After(2 * time.Second)
		return "wait"
	case 12, 13:
		return h.rewrite()
	default:
		did, c := h.drawn()
		c.Write(h.t, h.Folder)
		return "write " + did
	}
}

// edit changes files by the operation.
func (h *history) edit() string {
	h.t.Helper()
	did, c := h.drawn()
	if isTurned(c) { // into what no edit can make at once
		c.Write(h.t, h.Folder)
		return "write " + did
	}
	if len(c.Texts) > 0 {
		enginetest.Do(h.t, h, api.EditFiles, api.EditRequest{Edits: c.Edits(), Writing: api.Writing{Limits: api.Limits{TimeoutMS: patience}}})
	}
	return "edit " + did
}

// stash stashes what changed, or pops that.
func (h *history) stash() string {
	h.t.Helper()
	if h.stashed {
		h.force("checkout", "-q", "-f", "HEAD")
		if !h.git("stash", "pop", "-q") { // it conflicts with a later commit
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
}

func (h *history) isChanged() bool {
	output, err := exec.Command("git", "-C", h.Folder, "diff", "--cached", "--name-only").Output()
	if err != nil {
		h.t.Fatal(err)
	}
	return len(output) > 0
}

// checkSome asks about two files by name.
func (h *history) checkSome() string {
	h.t.Helper()
	h.tree.Look(h.t)
	all := h.tree.Sources()
	if len(all) == 0 {
		return "nothing to check"
	}
	names := []string{all[h.random.IntN(len(all))], all[0]}
	h.equal("files asked about again", h.ask(h.Shop, names...), h.ask(h.Shop, names...))
	return fmt.Sprint("check ", names)
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

// breakElsewhere lets another session change files, ask, and take the change back.
func (h *history) breakElsewhere() string {
	h.t.Helper()
	did, c := h.drawn()
	before := h.tree.Files
	c.Write(h.t, h.Folder)
	h.others("another agent")
	back := code.ChangeTo(c.Applied(before), before)
	back.Write(h.t, h.Folder)
	return "another session does this, asks, and takes it back: " + did
}
