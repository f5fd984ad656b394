package workspace

import (
	"errors"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/lsp"
)

// errClosed is why nothing starts after Close.
var errClosed = errors.New("the workspace is closed")

// An instance is the server for one key, through its starts and crashes.
type instance struct {
	workspace *Workspace
	key       roots.Key

	mu      sync.Mutex
	state   roots.State
	server  *lsp.Server // while active
	start   *start      // while starting
	err     error       // why the last start or run ended
	starts  int
	crashes int
	// peer says that somebody else runs the server; refused counts the connections to it that
	// failed since one did not, and away says that an event told that it is not there.
	peer    bool
	refused int
	away    bool
	shared  shared
	// obtained is when somebody last wanted the server; idle waits from then on.
	obtained time.Time
	idle     *time.Timer
	// cpu returns the processor time of the process that was started last, nil before.
	cpu func() (time.Duration, bool)
	// notBefore delays a restart after a crash.
	notBefore time.Time
	// lost are the documents that the server had open when it ended unasked.
	lost []lsp.Text
}
