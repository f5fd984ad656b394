package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// stepVariable tells our own program which step of a start it carries out.
const (
	stepVariable = "LSPINE_DAEMON_STEP"
	stepDaemon   = "daemon"
)

// awaitReady waits until a newly started daemon reports on a pipe that it listens.
func awaitReady(ctx context.Context, p place, ready *os.File) error {
	defer context.AfterFunc(ctx, func() { _ = ready.Close() })() // ends the wait
	line, err := bufio.NewReader(ready).ReadString('\n')
	switch reason, failed := strings.CutPrefix(strings.TrimSpace(line), "error "); {
	case ctx.Err() != nil:
		return ctx.Err() // the daemon continues to start, and the next client will find it
	case failed:
		return errors.New(reason)
	case err != nil:
		return fmt.Errorf("it ended before it was ready; %s says why", filepath.Join(p.dir, logFile))
	}
	return nil
}
