package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/legible"
)

// foundAgain is after how long a person is told again that a server was found.
const foundAgain = 90 * 24 * time.Hour

// foundServers says for a person which of the servers with these ids serve a workspace although no configuration names them, "" if
// there are none of whom this was not said before: nothing starts unnoticed, and nothing is repeated.
func foundServers(streams *Streams, root string, cfg *config.Config, ids []string) string {
	var found []string
	for _, id := range ids {
		if cfg.SourceOfServer(id) == config.AutoDetected && isFirst(streams, root, id) {
			found = append(found, id)
		}
	}
	if len(found) == 0 {
		return ""
	}
	off := strings.Join(found, `": {"enabled": false}, "`)
	return fmt.Sprintf(`lspine: found on this machine, and started for %s: %s. Said once; {"lsp": {"servers": {"%s": {"enabled": false}}}} in your own configuration keeps them from starting`,
		root, strings.Join(found, ", "), off)
}

// tellFound tells the person at a terminal of servers that were found and have started.
func tellFound(ctx context.Context, streams *Streams, root string, cfg *config.Config, c api.Caller) {
	events, err := api.Events.Do(api.Own(ctx), c, api.EventsRequest{TimeoutMS: 1})
	if err != nil {
		return // whatever was asked has reported it
	}
	var ids []string
	for i := range events.Events {
		if e := &events.Events[i]; e.Kind == "started" && !slices.Contains(ids, e.Server) {
			ids = append(ids, e.Server)
		}
	}
	if said := foundServers(streams, root, cfg, ids); said != "" {
		fmt.Fprintln(streams.Err, legible.Line(said))
	}
}

// forgetFound removes what is so old that it is said again.
func forgetFound(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > foundAgain {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // otherwise next time
		}
	}
}

// isFirst reports whether this is the first time, for a long while, that somebody asks about a server of a workspace. Where that
// cannot be remembered it never is.
func isFirst(streams *Streams, root, id string) bool {
	folder := hookState(streams)
	if folder == "" {
		return false
	}
	folder = filepath.Join(filepath.Dir(folder), "found")
	if os.MkdirAll(folder, 0o700) != nil {
		return false
	}
	forgetFound(folder)
	sum := sha256.Sum256([]byte(root + "\x00" + id))
	name := filepath.Join(folder, hex.EncodeToString(sum[:8]))
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	return file.Close() == nil
}
