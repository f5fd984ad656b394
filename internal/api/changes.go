package api

import (
	"encoding/json"
	"fmt"
	"strconv"

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

// UnmarshalJSON also accepts the numbers of LSP's FileChangeType.
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

// NotifyChanged tells the servers of changes on disk. LSPine finds such changes by itself as
// well; this makes servers read the named files again.
var NotifyChanged = Op[NotifyRequest, result.Done]{
	Name:  "notify_changed",
	Title: "Files changed on disk",
	Doc:   "Tell the servers that files changed; they are told what is on disk now.",
	Class: Read,
}
