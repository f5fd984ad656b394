package dependants

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
)

// UsersOfIgnored returns the files that may use some that git ignores, each with one that it may use. contents are texts of files by
// their paths: of a language whose imports are not followed, only these are looked at, for the name of the ignored file.
func (f *Finder) UsersOfIgnored(ctx context.Context, ignored []string, contents map[string][]byte) map[string]string {
	users := make(map[string]string)
	texts := f.textsNow(ctx)
	for _, path := range ignored {
		if impact.FollowsText(path) || impact.IsData(path) {
			text, err := f.workspace.Searched(path, maxSearched)
			if err != nil {
				continue
			}
			for _, user := range impact.FindUsersByText(texts, []impact.Change{{Path: path, After: text}}).Files() {
				users[user] = path
			}
			continue
		}
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		for user, text := range contents {
			if user != path && !language.NeverUses(user, path) && bytes.Contains(text, []byte(name)) {
				users[user] = path
			}
		}
	}
	return users
}
