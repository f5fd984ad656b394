//go:build unix

package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// withDaemon lets the commands of a shop use daemons, which end with the test. extra are
// further variables.
func (s *shop) withDaemon(extra ...string) {
	s.t.Helper()
	base, err := os.MkdirTemp("", "d") // short: it is to hold sockets
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = os.RemoveAll(base) })
	s.change = func(streams *Streams) {
		streams.Environ = append([]string{
			"HOME=" + base, "XDG_RUNTIME_DIR=" + base, "PATH=" + os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0",
			"XDG_CONFIG_HOME=" + filepath.Dir(s.configFile), "LSPTEST_DAEMON=" + base,
		}, extra...)
	}
	s.t.Cleanup(func() {
		if got := s.runIn(context.Background(), "daemon", "stop", "--all"); got.code != 0 {
			s.t.Errorf("stop: %+v", got)
		}
		gone := func() bool { return len(lsptest.Marked(s.t, "LSPTEST_DAEMON="+base)) == 0 }
		lsptest.Eventually(s.t, 10*time.Second, gone, "the daemons end")
	})
}

const daemonShop = "-- main.toy --\nuse helper\nuse nothing\n-- lib.toy --\ndef helper\n"

// What a command says is the same with a daemon, cold and warm, as without one: findings, exit
// code, and names from the folder that it runs in.
func TestAnswersAreTheSameWithADaemon(t *testing.T) {
	s := newShop(t, daemonShop, lsptest.Script{})
	commands := [][]string{
		{"check", "main.toy"},
		{"check", "main.toy", "--json"},
		{"check", "--all"},
		{"def", "main.toy:1 helper"},
		{"refs", "lib.toy:1 helper"},
		{"symbols", "lib.toy", "--json"},
		{"check", "nothing.toy"},
		{"def", "main.toy:9 helper"},
		{"check", "main.toy", "--server", "none"},
	}
	all := func() (outcomes []outcomeOf) {
		changing := regexp.MustCompile(`"(waited_ms|epoch|version)": \d+`)
		for _, args := range commands {
			got := s.run(args...)
			got.stdout = changing.ReplaceAllString(got.stdout, `"$1": 0`)
			outcomes = append(outcomes, got)
		}
		return outcomes
	}
	without := all()
	s.withDaemon()
	for _, name := range []string{"cold", "warm"} {
		if diff := cmp.Diff(without, all(), cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := s.run("daemon", "status"); strings.Count(got.stdout, "ROOT  pid ") != 1 {
		t.Errorf("status: %+v", got)
	}
}

// Nobody starts a daemon where it is not wanted: by the configuration, in continuous
// integration, or for a command that only tells what runs.
func TestNoDaemonWhereNoneIsWanted(t *testing.T) {
	for _, c := range []struct {
		variable string
		args     []string
	}{
		{"LSPINE_DAEMON=never", []string{"check", "lib.toy"}},
		{"LSPINE_LSP=false", []string{"status"}},
		{"CI=true", []string{"check", "lib.toy"}},
		{"CI=1", []string{"def", "main.toy:1 helper"}},
		{"CI=", []string{"status"}},
		{"CI=", []string{"servers", "lib.toy"}},
		{"CI=", []string{"doctor", "lib.toy"}},
		{"CI=", []string{"config"}},
	} {
		t.Run(fmt.Sprint(c.variable, c.args), func(t *testing.T) {
			s := newShop(t, daemonShop, lsptest.Script{})
			s.withDaemon(c.variable)
			s.run(c.args...)
			s.expect("status", s.run("daemon", "status"), 0, "no daemon runs\n")
		})
	}
}

// A daemon that runs ends with the rest of what was made, and nothing of it is left.
func TestUninstallStopsDaemons(t *testing.T) {
	s := newShop(t, daemonShop, lsptest.Script{})
	s.withDaemon()
	s.run("check", "lib.toy")
	got := s.run("uninstall", "--purge")
	if got.code != exitClean || !regexp.MustCompile(`^Stop the daemon of ROOT \(pid \d+\)\n(Remove .*\n)*Remove .*/lspine: caches \(0\.0 MB\)\n`).MatchString(got.stdout) {
		t.Errorf("%+v", got)
	}
	s.expect("after it", s.run("daemon", "status"), 0, "no daemon runs\n")
	s.expect("a second time", s.run("uninstall", "--purge"), 0, "", "lspine: nothing to change")
}

// A person sees his daemon, stops it and reads what it wrote.
//
// Requirement: AGENT-6, AGENT-7.
func TestDaemonCommands(t *testing.T) {
	s := newShop(t, daemonShop, lsptest.Script{})
	s.withDaemon()
	s.expect("logs before", s.run("daemon", "logs"), exitUsage, "", "there is no log", "lspine daemon status lists")
	s.expect("stop before", s.run("daemon", "stop"), 0, "no daemon runs\n")
	s.expect("a call", s.run("check", "lib.toy", "--scope", "file"), 0, "", "no errors")
	status := s.run("daemon", "status")
	if !regexp.MustCompile(`^ROOT  pid \d+  dev  up \d+s  clients: (none|check)\n$`).MatchString(status.stdout) {
		t.Errorf("status: %q", status.stdout)
	}
	if got := s.run("daemon", "status", "--json"); !strings.Contains(got.stdout, `"sessions": []`) && !strings.Contains(got.stdout, `"name": "check"`) || !strings.Contains(got.stdout, `"root": "ROOT"`) {
		t.Errorf("status: %s", got.stdout)
	}
	s.expect("a root that is not there", s.run("daemon", "stop", "--root", "nowhere"), exitUsage, "", "--root: ", "name an existing folder")
	if got := s.run("status"); !strings.Contains(got.stdout, "toy: active") {
		t.Errorf("servers: %s", got.stdout)
	}
	if got := s.run("daemon", "stop"); !regexp.MustCompile(`^stopped pid \d+ of ROOT\n$`).MatchString(got.stdout) || got.code != 0 {
		t.Errorf("stop: %+v", got)
	}
	s.expect("status after", s.run("daemon", "status"), 0, "no daemon runs\n")
	logs := s.run("daemon", "logs")
	for _, word := range []string{"msg=ready", "root=ROOT", `msg="stopped by a client"`, "msg=end"} {
		if !strings.Contains(logs.stdout, word) {
			t.Errorf("the log does not say %s: %s", word, logs.stdout)
		}
	}
}
