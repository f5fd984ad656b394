package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// A NotifyRequest says that files changed on disk.
type NotifyRequest struct {
	Changes []FileChange `json:"changes" jsonschema:"what changed"`
}

// A FileChange is a file that somebody says has changed.
type FileChange struct {
	File string     `json:"file" jsonschema:"path"`
	Type ChangeKind `json:"type,omitempty" jsonschema:"created, changed (default) or deleted; LSP's 1, 2 and 3 too"`
}

// A ChangeKind says what happened to a file, in words.
type ChangeKind string

// UnmarshalJSON takes LSP's FileChangeType as well.
func (k *ChangeKind) UnmarshalJSON(raw []byte) error {
	var n int
	if json.Unmarshal(raw, &n) == nil {
		types := []ChangeKind{"created", "changed", "deleted"}
		if n < 1 || n > len(types) {
			return fmt.Errorf("%d is no type: 1 is created, 2 changed, 3 deleted", n)
		}
		*k = types[n-1]
		return nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	if _, err := strconv.Atoi(text); err == nil {
		return k.UnmarshalJSON([]byte(text))
	}
	*k = ChangeKind(text)
	return nil
}

// NotifyChanged tells the servers of changes on disk. They are found without it,
// too; this makes servers read the named files again.
var NotifyChanged = Op[NotifyRequest, result.Done]{
	Name:  "notify_changed",
	Title: "Files changed on disk",
	Doc:   "Tell the servers that files changed; what they are told is what the disk says.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req NotifyRequest) (result.Done, error) {
		if len(req.Changes) == 0 {
			return result.Done{}, &ArgumentError{"changes", "it is empty", "for example " + examples["changes"]}
		}
		said := make(map[string]string)
		var paths, created []string
		for i, c := range req.Changes {
			path, err := e.changedPath(i, c)
			if err != nil {
				return result.Done{}, err
			}
			paths, said[path] = append(paths, path), string(c.Type)
			if c.Type == "created" {
				created = append(created, path)
			}
		}
		return e.announce(ctx, paths, created, said)
	},
}

func (e *Engine) changedPath(i int, c FileChange) (string, error) {
	argument := fmt.Sprintf("changes[%d]", i)
	switch c.Type {
	case "", "created", "changed", "deleted":
	default:
		return "", &ArgumentError{argument + ".type", fmt.Sprintf("%q is no type", c.Type), "types are created, changed and deleted"}
	}
	if c.File == "" {
		return "", &ArgumentError{argument + ".file", "it is missing", `for example "src/a.go"`}
	}
	path, err := e.workspace.Resolve(e.base(), c.File)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", &ArgumentError{argument + ".file", c.File + " is a folder", "name the files in it"}
	}
	return path, nil
}

// announce tells the servers, and says what they were told.
func (e *Engine) announce(ctx context.Context, paths, created []string, said map[string]string) (result.Done, error) {
	ctx, cancel := e.drafting(ctx)
	defer cancel()
	held := e.heldNow()
	looked, err := e.workspace.Look(ctx, held)
	if err != nil {
		return result.Done{}, err
	}
	told, swept, err := e.workspace.Announce(ctx, paths, created, held)
	e.collector.Forget(append(looked.Deleted, swept.Deleted...)...)
	if err != nil {
		return result.Done{}, err
	}
	counts := make(map[protocol.ChangeType]int)
	var notes []string
	for _, t := range told {
		counts[t.Type]++
		if claim := said[t.Path]; (claim == "deleted") != (t.Type == protocol.Deleted) {
			is := "is there"
			if t.Type == protocol.Deleted {
				is = "is gone"
			}
			notes = append(notes, fmt.Sprintf("%s %s; that is what was told", e.relative(t.Path), is))
		}
	}
	servers := len(e.workspace.Running())
	done := result.Done{Done: fmt.Sprintf("told of %d created, %d changed, %d deleted; running servers: %d",
		counts[protocol.Created], counts[protocol.Changed], counts[protocol.Deleted], servers)}
	done.Notes = notes
	return done, nil
}
