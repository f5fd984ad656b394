package simulation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fsnotify/fsnotify"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/enginetest"
)

// committing is the variable that makes the test binary a child that commits a session in the
// folder that it names.
const committing = "LSPINE_SIMULATION_COMMIT"

const manyFiles = 10

func fileName(i int) string { return fmt.Sprintf("sub%d/f%d.txt", i%3, i) }

// commitMany commits a session over many files.
func commitMany(root string) error {
	ctx := context.Background()
	e, err := openPlain(root)
	if err != nil {
		return err
	}
	made, err := api.Simulate.Do(ctx, e, api.SimulateRequest{Action: api.SimulateCreate})
	if err != nil {
		return err
	}
	for i := range manyFiles {
		step := edits(replacing(fileName(i), "old", "new"))
		if _, err := api.Simulate.Do(ctx, e, api.SimulateRequest{Action: api.SimulateEdit, Session: made.Session, Edits: step}); err != nil {
			return err
		}
	}
	_, err = api.Simulate.Do(ctx, e, api.SimulateRequest{Action: api.SimulateCommit, Session: made.Session, Apply: true})
	return errors.Join(err, e.Close(ctx))
}

// openPlain opens an engine over files that no server judges.
func openPlain(root string) (*engine.Engine, error) {
	cfg, _ := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	return engine.New(engine.Options{Root: root, Config: cfg, State: root + ".state", StateFolder: root + ".folder"})
}

// Killed at any time while it commits a session over ten files, a process leaves files that the
// next one makes all old or all new.
func TestCommitThatIsKilled(t *testing.T) {
	t.Parallel()
	olds, news := 0, 0
	for event := 1; ; event += 3 { // each single step is killed in the tests of package edit
		root := filepath.Join(t.TempDir(), "root")
		for i := range manyFiles {
			file := filepath.Join(root, fileName(i))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("old\n"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		killed := killAt(t, root, event)
		e, err := openPlain(root)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
		texts := make(map[string]int)
		for i := range manyFiles {
			text, err := os.ReadFile(filepath.Join(root, fileName(i)))
			if err != nil {
				t.Error(err)
			}
			texts[string(text)]++
		}
		switch {
		case texts["old\n"] == manyFiles && killed:
			olds++
		case texts["new\n"] == manyFiles:
			news++
		default:
			t.Fatalf("killed at event %d (%t): %v", event, killed, texts)
		}
		if left, _ := filepath.Glob(filepath.Join(root, "sub*", ".*")); len(left) > 0 {
			t.Errorf("killed at event %d: there is %q", event, left)
		}
		if !killed {
			break
		}
	}
	if olds == 0 || news == 0 {
		t.Errorf("%d old, %d new", olds, news)
	}
}

// killAt runs a child, and kills it when it was seen to do so many things with the files, or says
// that it came to its end.
func killAt(t *testing.T, root string, event int) (killed bool) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := fsnotify.NewBufferedWatcher(10_000)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = watcher.Close() }()
	for i := range 3 {
		if err := watcher.Add(filepath.Join(root, fmt.Sprintf("sub%d", i))); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	child := exec.CommandContext(ctx, program)
	child.Env = append(os.Environ(), committing+"="+root)
	var said bytes.Buffer
	child.Stdout, child.Stderr = &said, &said
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for seen := 0; ; {
		select {
		case <-watcher.Events:
			if seen++; seen == event {
				cancel()
				<-ended
				return !strings.Contains(said.String(), "done")
			}
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, said.String())
			}
			return false
		}
	}
}

// Sessions over files that no server judges are committed all the same; what another session
// wrote meanwhile is not overwritten.
func TestTwoSessionsOverTheSameFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := openPlain(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.WithoutCancel(t.Context())) })
	var sessions []string
	for _, word := range []string{"one", "two"} {
		session := simulate(t, e, api.SimulateRequest{Action: "create"}).Session
		simulate(t, e, api.SimulateRequest{Action: "edit", Session: session, Edits: edits(replacing("a.txt", word, strings.ToUpper(word)))})
		sessions = append(sessions, session)
	}
	simulate(t, e, api.SimulateRequest{Action: "commit", Session: sessions[0], Apply: true})
	_, err = api.Simulate.Do(t.Context(), e, api.SimulateRequest{Action: "commit", Session: sessions[1], Apply: true})
	if err == nil || !strings.Contains(err.Error(), "changed on disk") {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(root, "a.txt")); err != nil || string(text) != "ONE\ntwo\n" {
		t.Errorf("%s %v", text, err)
	}
	list := enginetest.Do(t, e, api.Simulate, api.SimulateRequest{Action: "list"}).Sessions
	var states []string
	for _, s := range list {
		states = append(states, s.Status)
	}
	if !slices.Equal(states, []string{"committed", "mutated"}) {
		t.Errorf("%v", states)
	}
}
