package service

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A file whose servers do not answer in time has no diagnostics, and no text says so; those
// of the servers that did are there. The first deadline is the long one, once: also where it
// passed without an answer.
//
// Requirement: REQ-TIME-010, REQ-TIME-015, REQ-TIME-020, REQ-TIME-030, REQ-TIME-040, REQ-TIME-060, REQ-TIME-070, REQ-TIME-085,
// REQ-TIME-090, REQ-TIMING-020, REQ-LANG-040, REQ-GRACE-055, BR-14, BR-69, BR-70, BR-86,
// EC-7, EC-10, EC-11, EC-13, EC-45, EC-49.
func TestServersThatDoNotAnswerInTime(t *testing.T) {
	t.Parallel()
	mute := lsptest.Script{ID: "mute", Rules: []lsptest.Rule{
		lsptest.On("textDocument/didOpen", lsptest.Hang()), lsptest.On("textDocument/didChange", lsptest.Hang()),
	}}
	k := openTalk(t, "-- a.toy --\nERROR one\n", func(c *config.Config, _ *Host) {
		c.Settings.FirstTouchTimeout, c.Settings.DiagnosticTimeout = 4*time.Second, 800*time.Millisecond
	}, lsptest.Script{}, mute)
	for range 2 {
		if got, want := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`), `"result":[`+finding("a.toy", 1, 1, 6, "error", "one")+`]`; got != want {
			t.Errorf("beside a mute one: %s, want %s", got, want)
		}
		k.write("a.toy", "ERROR one\n\n")
	}
	var waits []int
	for line := range strings.Lines(k.log.String()) {
		var waited int
		if i := strings.Index(line, "mute:timeout:"); i >= 0 {
			if _, err := fmt.Sscanf(line[i:], "mute:timeout:%dms", &waited); err != nil {
				t.Fatal(err)
			}
			waits = append(waits, waited)
		}
	}
	// It is waited for from the first byte to it on; before, the servers started.
	if len(waits) != 2 || waits[0] < 1500 || waits[1] < 500 || waits[1] > waits[0] {
		t.Errorf("it was waited for %d ms, want the first deadline and then the other", waits)
	}
	alone := openTalk(t, "-- a.toy --\nERROR one\n", func(c *config.Config, _ *Host) {
		c.Settings.FirstTouchTimeout = 300 * time.Millisecond
	}, mute)
	if got := alone.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); got != `"result":[]` {
		t.Errorf("a mute one alone: %s", got)
	}
}

// A server that crashed is broken for the session, and not started again; the others go on.
// What it said is known no longer.
//
// Requirement: REQ-LIFE-070, REQ-LIFE-090, REQ-KNOWN-020, REQ-KNOWN-030, REQ-STATUS-020, REQ-STATUS-045, REQ-NAV-060,
// BR-20, BR-35, BR-41, EC-4, EC-5, EC-8, EC-9, EC-41, EC-42.
func TestCrashedIsBroken(t *testing.T) {
	t.Parallel()
	crashes := lsptest.Script{ID: "alpha", Rules: []lsptest.Rule{lsptest.OnNth("textDocument/didChange", 1, lsptest.Crash(1))}}
	atOnce := lsptest.Script{ID: "beta", Start: []lsptest.Action{lsptest.Crash(1)}}
	k := openTalk(t, "-- a.toy --\nERROR one\n", nil, lsptest.Script{}, crashes, atOnce)
	one := `"result":[` + finding("a.toy", 1, 1, 6, "error", "one") + `]`
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); got != one {
		t.Errorf("at first: %s", got)
	}
	k.write("a.toy", "ERROR one\n\n")
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); got != one {
		t.Errorf("when one crashes: %s", got)
	}
	if got, want := k.ask("lsp/diagnostics", `{}`), `"result":{"ROOT/a.toy":[`+finding("a.toy", 1, 1, 6, "error", "one")+`]}`; got != want {
		t.Errorf("what is known: %s", got)
	}
	got := statuses(t, k.ask("lsp/status", `{}`))
	want := []string{"alpha broken broken toy", "beta broken broken toy", "toy active ok toy"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	k.write("a.toy", "\n")
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); got != `"result":[]` {
		t.Errorf("at last: %s", got)
	}
	if got := k.ask("lsp/diagnostics", `{}`); got != `"result":{}` {
		t.Errorf("what is known at last: %s", got)
	}
}

// statuses are those of a response, each as id, status, state and language.
func statuses(t *testing.T, response string) (list []string) {
	t.Helper()
	for _, s := range decoded[[]ServerStatus](t, response) {
		if s.ID != s.ServerID || s.Status == "active" && s.PID == 0 || s.State == "idle" && s.Reason == "" {
			t.Errorf("%+v", s)
		}
		list = append(list, strings.Join([]string{s.ID, s.Status, s.State, s.Language}, " "))
	}
	return list
}

// Every server that is known is told of, whether it runs or not: before anything was checked
// none was started.
//
// Requirement: REQ-STATUS-020, REQ-STATUS-025, REQ-STATUS-040, REQ-STATUS-045, REQ-LIFE-010, REQ-LIFE-020, REQ-CFG-030,
// BR-18, BR-19, BR-28, BR-41, BR-43, BR-81, EC-3, EC-33.
func TestStatusOfAllServers(t *testing.T) {
	t.Parallel()
	k := openTalk(t, "-- a.toy --\n", func(c *config.Config, _ *Host) {
		gone, off := c.Servers[0], c.Servers[0]
		gone.ID, off.ID, off.Disabled = "gone", "off", true
		gone.Commands = slices.Clone(gone.Commands)
		gone.Commands[0].Binary = "no-such-program"
		c.Servers = append(c.Servers, off, gone)
	}, lsptest.Script{})
	others := []string{"gone unavailable idle toy", "off disabled idle toy"}
	if diff := cmp.Diff(append(others, "toy unavailable idle toy"), statuses(t, k.ask("lsp/status", `{}`))); diff != "" {
		t.Error(diff)
	}
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); got != `"result":[]` {
		t.Errorf("a check: %s", got)
	}
	if diff := cmp.Diff(append(others, "toy active ok toy"), statuses(t, k.ask("lsp/status", `{}`))); diff != "" {
		t.Error(diff)
	}
}

// Where LSP is disabled nothing is started, everything is answered, and the status says so.
//
// Requirement: REQ-CFG-010, REQ-STATUS-050, BR-25, BR-42, EC-30, EC-40.
func TestDisabled(t *testing.T) {
	t.Parallel()
	k := openTalk(t, "-- a.toy --\nERROR\n", func(c *config.Config, _ *Host) { c.Settings.Enabled = false }, lsptest.Script{})
	if got := k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`); got != `"result":[]` {
		t.Errorf("a check: %s", got)
	}
	if diff := cmp.Diff([]string{"toy disabled idle toy"}, statuses(t, k.ask("lsp/status", `{}`))); diff != "" {
		t.Error(diff)
	}
	if !member[bool](t, k.ask("lspine/status", `{}`), "disabled") {
		t.Error("lspine/status does not say so")
	}
}

// Starts, failures, crashes, latency, time-outs and diagnostics are in the status, and in the
// log of who asks for debug lines; nowhere else.
//
// Requirement: REQ-OBS-010, REQ-OBS-020, BR-67.
func TestFiguresAreLoggedAndInTheStatus(t *testing.T) {
	t.Parallel()
	crashes := lsptest.Script{ID: "alpha", Rules: []lsptest.Rule{lsptest.OnNth("textDocument/didChange", 1, lsptest.Crash(1))}}
	k := openTalk(t, "-- a.toy --\nERROR one\nWARN two\n", nil, lsptest.Script{}, crashes)
	for range 2 {
		k.ask("lsp/checkFile", `{"filePath":"ROOT/a.toy"}`)
		k.write("a.toy", "ERROR one\n\n")
	}
	for _, s := range member[[]result.Server](t, k.ask("lspine/status", `{"scope":"all"}`), "servers") {
		if f := s.Figures; f == nil || f.Checks < 2 || f.Diagnostics < 2 || f.SlowMS < f.MedianMS || s.Starts != 1 || s.ID == "alpha" && s.Crashes != 1 {
			t.Errorf("%+v %+v", s, s.Figures)
		}
	}
	if f := decoded[[]ServerStatus](t, k.ask("lsp/status", `{}`))[1].Figures; f == nil || f.Checks < 2 {
		t.Errorf("%+v", f)
	}
	k.ask("lsp/shutdown", "")
	<-k.served
	for _, part := range []string{"event=started id=toy", "event=given_up id=alpha", "msg=figures id=alpha", "crashes=1", "msg=checkFile file=a.toy verdict=new_errors diagnostics=1", "toy:fresh:"} {
		if !strings.Contains(k.log.String(), part) {
			t.Errorf("%q is not in the log:\n%s", part, k.log)
		}
	}
}

// For a file outside of the workspace nothing is started, whatever the text.
//
// Requirement: REQ-BOUNDARY-010, REQ-BOUNDARY-020, BR-31, BR-32, EC-27.
func TestOutsideStartsNothing(t *testing.T) {
	t.Parallel()
	k := openTalk(t, "-- a.toy --\n", nil, lsptest.Script{})
	outside := lsptest.Workspace(t, "-- x.toy --\nERROR outside\n")
	lsptest.NeedLinks(t)
	if err := os.Symlink(outside, filepath.Join(k.root, "linked")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{outside + "/x.toy", "ROOT/linked/x.toy", "ROOT/../x.toy", "linked/x.toy"} {
		for _, text := range []string{"", `,"text":"ERROR given"`} {
			if got := k.ask("lsp/checkFile", `{"filePath":"`+lsptest.InJSON(path)+`"`+text+`}`); got != `"result":[]` {
				t.Errorf("%s: %s", path, got)
			}
		}
	}
	if diff := cmp.Diff([]string{"toy unavailable idle toy"}, statuses(t, k.ask("lsp/status", `{}`))); diff != "" {
		t.Error(diff)
	}
}
