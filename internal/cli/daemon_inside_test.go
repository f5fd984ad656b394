//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/daemon"
	"github.com/lspine/lspine/internal/lsptest"
)

// The command that is the daemon answers commands of the same flags, logs what happens as far as it is asked to, and
// ends with a clean exit when it is stopped.
func TestDaemonInThisProcess(t *testing.T) {
	usual := os.Stderr // a daemon logs there
	t.Cleanup(func() { os.Stderr = usual })
	for level, logged := range map[string]bool{"": true, "error": false} {
		s := newShop(t, daemonShop, lsptest.Script{})
		s.withDaemon("LOG_LEVEL=" + level)
		log, err := os.Create(filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		os.Stderr = log
		ended := make(chan outcomeOf, 1)
		go func() { ended <- s.run("daemon", "run", "--server", "toy") }()
		up := regexp.MustCompile(`^ROOT  pid \d+  dev  up \d+s  clients: none\n$`)
		lsptest.Eventually(t, time.Minute, func() bool {
			return len(ended) > 0 || up.MatchString(s.run("daemon", "status").stdout)
		}, "the daemon is not there")
		s.expect("a call", s.run("def", "main.toy:1", "helper", "--server", "toy"), 0, "lib.toy:1:5: def helper\nhelper: 1 definition in 1 file\n")
		if got := s.run("daemon", "status"); strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("another daemon was started:\n%s", got.stdout)
		}
		stopped := s.run("daemon", "stop")
		s.expect("stop", stopped, 0, stopped.stdout)
		if diff := cmp.Diff(outcomeOf{}, <-ended, cmp.AllowUnexported(outcomeOf{})); diff != "" {
			t.Errorf("how it ends (-want +got):\n%s", diff)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		if text := read(t, log.Name()); strings.Contains(text, "msg=ready") != logged {
			t.Errorf("with the level %q the log has: %s", level, text)
		}
	}
}

// The command that is the daemon refuses what its starter got wrong.
func TestDaemonRefusals(t *testing.T) {
	s := newShop(t, daemonShop, lsptest.Script{})
	s.withDaemon()
	s.expect("an unknown server", s.run("daemon", "run", "--server", "nope"), exitUsage, "", `no server "nope" is known`)
	s.expect("another key", s.run("daemon", "run", "--key", "other"), exitUsage, "", "lspine: the configuration or the environment changed meanwhile\n")
	s.withDaemon("LOG_LEVEL=loud")
	s.expect("an unknown level", s.run("daemon", "run"), exitUsage, "", `lspine: LOG_LEVEL: there is no level "loud"`)
}

// A daemon that died is listed with what is the matter, and stopped by clearing up; one that cannot be stopped does not keep
// others from it, and is told with its process and its root.
func TestDaemonsThatDied(t *testing.T) {
	lsptest.NeedSockets(t)
	s := newShop(t, daemonShop, lsptest.Script{})
	s.withDaemon()
	var streams Streams
	s.change(&streams)
	base, err := daemon.Folder(streams.Environ)
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	for dir, record := range map[string]daemon.Record{"a": {PID: 7, Root: s.root}, "b": {PID: 8, Root: other}} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, dir, "daemon.json"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	status := s.run("daemon", "status")
	s.expect("status", status, 0, status.stdout)
	if lines := strings.Count(status.stdout, "  does not answer: it has ended without a word; the next one cleans up\n"); lines != 2 || !strings.Contains(status.stdout, "ROOT") {
		t.Errorf("status:\n%s", status.stdout)
	}
	if got := s.run("daemon", "status", "--json"); got.code != 0 || strings.Count(got.stdout, `"problem": "it has ended without a word`) != 2 {
		t.Errorf("status: %+v", got)
	}
	lock := filepath.Join(base, "a", "daemon.lock")
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	s.expect("one that cannot be stopped", s.run("daemon", "stop", "--all"), exitUsage, "stopped pid 8 of "+other+"\n", "lspine: pid 7 of ROOT: ", "daemon.lock")
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	s.expect("the one of the workspace", s.run("daemon", "stop"), 0, "stopped pid 7 of ROOT\n")
	s.expect("none is left", s.run("daemon", "stop", "--all"), 0, "no daemon runs\n")
}

// A log that cannot be read is told, and is not taken for one that is not there.
func TestLogThatCannotBeRead(t *testing.T) {
	s := newShop(t, daemonShop, lsptest.Script{})
	s.withDaemon()
	var streams Streams
	s.change(&streams)
	streams.Dir = s.root
	identity, err := (&global{configFile: s.configFile}).daemonIdentity(&streams)
	if err != nil {
		t.Fatal(err)
	}
	path, err := daemon.LogOf(&identity)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	got := s.run("daemon", "logs")
	s.expect("a folder", got, exitUsage, "", "lspine: read "+path)
	if strings.Contains(got.stderr, "there is no log") {
		t.Error(got.stderr)
	}
}
