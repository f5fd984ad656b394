package child

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"github.com/lspine/lspine/internal/lsptest"
)

// TestMain is also the programs that the tests start: one waits to be ended, one works until then.
func TestMain(m *testing.M) {
	switch os.Getenv("CHILD_DOES") {
	case "wait":
		<-time.After(time.Hour)
	case "work":
		for {
		}
	}
	os.Exit(m.Run())
}

// begin starts this program as one that waits or works, in a job.
func begin(t *testing.T, does string) (*Job, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CHILD_DOES="+does)
	Prepare(cmd)
	job, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(job.Close)
	return job, cmd
}

// It is known what the processes of a job use: one that waits has memory and uses no processor, one that works does. Of a job
// without processes nothing is known. (Wine does not tell the states of threads.)
func TestUsage(t *testing.T) {
	idle, cmd := begin(t, "wait")
	busy, _ := begin(t, "work")
	const enough = 300 * time.Millisecond
	var works Usage
	lsptest.Eventually(t, time.Minute, func() bool {
		works, _ = busy.Usage()
		return works.CPUTime >= enough
	}, "its processor time is known")
	var waits Usage
	var known bool
	lsptest.Eventually(t, time.Minute, func() bool {
		waits, known = idle.Usage()
		return !waits.Runs // even one that waits has a moment's work for its runtime
	}, "one that waits does not run")
	if !known || waits.CPUTime >= enough || waits.Memory < 1<<20 || works.Memory < 1<<20 {
		t.Errorf("one that works uses %+v; one that waits %+v, known: %t", works, waits, known)
	}
	idle.Kill()
	_ = cmd.Wait()
	idle.Wait()
	if u, known := idle.Usage(); known || u != (Usage{}) {
		t.Errorf("an empty job uses %+v", u)
	}
	for state, want := range []bool{1: true, 2: true, 3: true, 4: false, 5: false, 6: false, 7: true, 8: false} {
		if got := (threadInformation{state: uint32(state)}).runs(); got != want {
			t.Errorf("in state %d it runs: %t", state, got)
		}
	}
	idle.Close()
	if _, known := idle.Usage(); known {
		t.Error("a closed job uses something")
	}
}

// The processor time of processes that have ended counts on, also if another one gets their id.
func TestLedger(t *testing.T) {
	var l ledger
	for i, c := range []struct {
		now  map[uintptr]time.Duration
		want time.Duration
	}{
		{map[uintptr]time.Duration{1: 5}, 5},
		{map[uintptr]time.Duration{1: 6, 2: 10}, 16},
		{map[uintptr]time.Duration{1: 6}, 16},
		{map[uintptr]time.Duration{1: 6, 2: 3}, 19},
		{map[uintptr]time.Duration{1: 7, 2: 1}, 21},
		{nil, 21},
		{map[uintptr]time.Duration{3: 4}, 25},
	} {
		if got := l.add(c.now); got != c.want {
			t.Errorf("step %d: %d, want %d", i, got, c.want)
		}
	}
}

// Windows does not guarantee that a message tells that a job is empty: Wait returns without one, and
// ends what is left in the job.
func TestWaitWithoutTheMessage(t *testing.T) {
	job, cmd := begin(t, "wait")
	if job.isEmpty() {
		t.Error("empty while its process runs")
	}
	job.Kill()
	_ = cmd.Wait()
	for what := uint32(0); what != activeProcessZero; { // the message is taken away
		var key uintptr
		var about *windows.Overlapped
		if err := windows.GetQueuedCompletionStatus(job.port, &what, &key, &about, windows.INFINITE); err != nil {
			t.Fatal(err)
		}
	}
	job.Wait()
	if !job.isEmpty() {
		t.Error("not empty")
	}
}
