package overlay

import (
	"context"
	"fmt"
	"os"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// NotifyChanged tells the servers which files the caller changed on disk; what they are told is
// what is there now.
func (v *View) NotifyChanged(ctx context.Context, req api.NotifyRequest) (result.Done, error) {
	if len(req.Changes) == 0 {
		return result.Done{}, &api.ArgumentError{Argument: "changes", Reason: "it is empty", Advice: "for example " + api.Example("changes")}
	}
	said := make(map[string]string)
	var paths, created []string
	for i, c := range req.Changes {
		path, err := v.changedPath(i, c)
		if err != nil {
			return result.Done{}, err
		}
		paths, said[path] = append(paths, path), string(c.Type)
		if c.Type == "created" {
			created = append(created, path)
		}
	}
	return v.announce(ctx, paths, created, said)
}

func (v *View) changedPath(i int, c api.FileChange) (string, error) {
	argument := fmt.Sprintf("changes[%d]", i)
	switch c.Type {
	case "", "created", "changed", "deleted":
	default:
		return "", &api.ArgumentError{Argument: argument + ".type", Reason: fmt.Sprintf("%q is no type", c.Type), Advice: "types are created, changed and deleted"}
	}
	if c.File == "" {
		return "", &api.ArgumentError{Argument: argument + ".file", Reason: "it is missing", Advice: `for example "src/a.go"`}
	}
	path, err := v.names.Resolve(c.File)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() && c.Type != "deleted" { // a folder may have come in the place of a file
		return "", &api.ArgumentError{Argument: argument + ".file", Reason: c.File + " is a folder", Advice: "name the files in it"}
	}
	return path, nil
}

// Look tells the servers of what changed on disk, when no question makes it necessary.
func (v *View) Look(ctx context.Context) error {
	swept, err := v.texts.opts.Workspace.Look(ctx, v.texts.Held())
	v.texts.Noticed(swept)
	return err
}

// announce tells the servers, and says what they were told.
func (v *View) announce(ctx context.Context, paths, created []string, said map[string]string) (result.Done, error) {
	ctx, cancel := call.Within(ctx, v.texts.opts.Settings.RequestTimeout)
	defer cancel()
	held := v.texts.Held()
	looked, err := v.texts.opts.Workspace.Look(ctx, held)
	if err != nil {
		return result.Done{}, err
	}
	told, swept, err := v.texts.opts.Workspace.Announce(ctx, paths, created, held)
	v.texts.opts.Collector.Forget(append(looked.Deleted, swept.Deleted...)...)
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
			notes = append(notes, fmt.Sprintf("%s %s; that is what was told", v.names.Relative(t.Path), is))
		}
	}
	servers := len(v.texts.opts.Workspace.Running())
	done := result.Done{Done: fmt.Sprintf("told of %d created, %d changed, %d deleted; running servers: %d",
		counts[protocol.Created], counts[protocol.Changed], counts[protocol.Deleted], servers)}
	done.Notes = notes
	return done, nil
}
