package child

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// TestMain is also the program that the tests start: one that waits to be ended.
func TestMain(m *testing.M) {
	if os.Getenv("CHILD_WAITS") != "" {
		<-time.After(time.Hour)
	}
	os.Exit(m.Run())
}

// Windows does not guarantee that a message tells that a job is empty: Wait returns without one, and
// ends what is left in the job.
func TestWaitWithoutTheMessage(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CHILD_WAITS=1")
	Prepare(cmd)
	job, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer job.Close()
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
