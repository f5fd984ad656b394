package editing

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/lsp"
)

// Where scripts name another file in a string that is no import: what replaces modules in tests, or
// finds or loads them. Packages name their files in their manifest.
var (
	namesModule = lazyregexp.New(`\b(?:jest|vi|vitest|import\.meta|require|mock|td|proxyquire)(?:\.\w+)+(?:<[^>()]*>)?\(\s*["'` + "`" + `]([^"'` + "`" + `\n]+)["'` + "`" + `]`)
	namesFile   = lazyregexp.New(`"((?:\./)?[^"\\\n]*)"`)
)

// followInTexts puts into the plan what a server of scripts leaves as it is of a file that moves: the
// strings by which tests replace it, and by which a manifest names it. Strings in the file itself that
// are relative to its folder follow as well.
func (e *Editor) followInTexts(ctx context.Context, plan *edit.Plan, moved lsp.FileRename, excluded func(string) bool, adopted *adoption) error {
	if language.Of(moved.From).Family != language.ScriptFamily {
		return nil
	}
	files, err := e.workspace.Files(ctx)
	if err != nil {
		return err
	}
	for _, file := range files[:min(maxSearched, len(files))] {
		if err := ctx.Err(); err != nil {
			return err
		}
		pattern := namesModule
		switch {
		case excluded(file):
			continue
		case filepath.Base(file) == language.PackageJSON:
			pattern = namesFile
		case language.Of(file).Family != language.ScriptFamily:
			continue
		}
		text, err := plan.ReadFile(file)
		if err != nil {
			continue // nobody can be shown it
		}
		if after, n := renamedIn(file, string(text), pattern, moved); n > 0 {
			if err := plan.Write(file, after); err != nil {
				return err
			}
			adopted.taken[file] += n
		}
	}
	return nil
}

// renamedIn returns the text of a file in which what a pattern finds names the moved file where it is then.
func renamedIn(file, text string, pattern *lazyregexp.Regexp, moved lsp.FileRename) (after string, n int) {
	var b strings.Builder
	end := 0
	for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
		spec := text[m[2]:m[3]]
		now, ok := respecified(file, spec, moved)
		if !ok || now == spec {
			continue
		}
		b.WriteString(text[end:m[2]])
		b.WriteString(now)
		end = m[3]
		n++
	}
	b.WriteString(text[end:])
	return b.String(), n
}

// respecified returns how a file names after a move what it names by a path below its folder.
func respecified(file, spec string, moved lsp.FileRename) (string, bool) {
	manifest := filepath.Base(file) == language.PackageJSON
	if !manifest && !strings.HasPrefix(spec, "./") && !strings.HasPrefix(spec, "../") {
		return "", false
	}
	from, to := filepath.Dir(file), filepath.Dir(file)
	target := filepath.Join(from, filepath.FromSlash(spec))
	if file == moved.From { // what it names stays where it is
		to = filepath.Dir(moved.To)
	} else {
		// Scripts name the sources that they are compiled from as if these were compiled.
		compiled := slices.Concat(language.Endings(language.JavaScript), language.Endings(language.JavaScriptReact))
		stem, whole := withoutEnding(moved.From), !manifest && path.Ext(spec) == ""
		switch {
		case target == moved.From:
			target = moved.To
		case whole && target == stem:
			target = withoutEnding(moved.To)
		case whole && filepath.Base(stem) == language.IndexName && target == filepath.Dir(stem):
			if target = withoutEnding(moved.To); filepath.Base(target) == language.IndexName {
				target = filepath.Dir(target)
			}
		case !manifest && slices.Contains(compiled, path.Ext(spec)) && withoutEnding(target) == stem:
			target = withoutEnding(moved.To) + path.Ext(spec)
		default:
			return "", false
		}
	}
	relative, err := filepath.Rel(to, target)
	if err != nil {
		return "", false
	}
	relative = filepath.ToSlash(relative)
	if strings.HasPrefix(spec, "./") && !strings.HasPrefix(relative, "../") || !manifest && !strings.HasPrefix(relative, ".") {
		relative = "./" + relative
	}
	return relative, true
}

func withoutEnding(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) }
