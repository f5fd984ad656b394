//go:build unix

package servers

import (
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// TestStandstill stops each server for good while it owes an answer: it is replaced, the
// answer is the truth all the same, and says what happened.
func TestStandstill(t *testing.T) {
	lsptest.NeedProcessorTime(t, runtime.GOOS != "darwin")
	for _, p := range projects {
		t.Run(p.server, func(t *testing.T) {
			lsptest.Require(t, p.server)
			s := begin(t, p)
			s.expect(t)
			s.signal(t, syscall.SIGSTOP, s.tree(t)...)
			s.write(t, s.main, strings.Replace(s.files[s.main], s.good, s.broken, 1))
			f := s.check(t, nil)
			s.compare(t, f, s.wrong)
			if note := f.Servers[0].Note; !strings.Contains(note, "did nothing") || !strings.Contains(note, "it was restarted") {
				t.Errorf("the note is %q", note)
			}
			s.write(t, s.main, s.files[s.main])
			s.expect(t)
		})
	}
}
