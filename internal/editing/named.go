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
)

// Where scripts name another file in a string that is no import: what replaces modules in tests, or
// finds or loads them. Packages name their files in their manifest.
var (
	namesModule = lazyregexp.New(`\b(?:jest|vi|vitest|import\.meta|require|mock|td|proxyquire)(?:\.\w+)+(?:<[^>()]*>)?\(\s*["'` + "`" + `]([^"'` + "`" + `\n]+)["'` + "`" + `]`)
	namesFile   = lazyregexp.New(`"((?:\./)?[^"\\\n]*)"`)
)

// followInTexts puts into the plan what servers leave as it is when scripts move: the
// strings by which tests replace them, and by which a manifest names them; and when a folder of Go code moves, what imports its
// packages. Strings in what moves that are relative to its folder follow as well.
func (e *Editor) followInTexts(ctx context.Context, plan *edit.Plan, m movement, excluded func(string) bool, adopted *adoption) error {
	packages := e.packagesThatMove(plan, m)
	if !m.scripts && packages.from == "" {
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
		var renamed func(text string) (after string, n int)
		switch family := language.Of(file).Family; {
		case excluded(file):
			continue
		case m.scripts && filepath.Base(file) == language.PackageJSON:
			renamed = func(text string) (string, int) { return renamedIn(file, text, namesFile, m) }
		case m.scripts && family == language.ScriptFamily:
			renamed = func(text string) (string, int) { return renamedIn(file, text, namesModule, m) }
		case packages.from != "" && file == filepath.Join(packages.module, language.GoMod):
			renamed = packages.toolsRenamed
		case packages.from != "" && language.Of(file).ID == language.Go:
			renamed = packages.renamedIn
		default:
			continue
		}
		text, err := plan.ReadFile(file)
		if err != nil {
			continue // nobody can be shown it
		}
		if after, n := renamed(string(text)); n > 0 {
			if err := plan.Write(file, after); err != nil {
				return err
			}
			adopted.taken[file] += n
		}
	}
	return nil
}

// renamedIn returns the text of a file in which what a pattern finds names what moves where it is then.
func renamedIn(file, text string, pattern *lazyregexp.Regexp, m movement) (after string, n int) {
	var b strings.Builder
	end := 0
	for _, found := range pattern.FindAllStringSubmatchIndex(text, -1) {
		spec := text[found[2]:found[3]]
		now, ok := respecified(file, spec, m)
		if !ok || now == spec {
			continue
		}
		b.WriteString(text[end:found[2]])
		b.WriteString(now)
		end = found[3]
		n++
	}
	b.WriteString(text[end:])
	return b.String(), n
}

// respecified returns how a file names after a move what it names by a path below its folder.
func respecified(file, spec string, m movement) (string, bool) {
	manifest := filepath.Base(file) == language.PackageJSON
	if !manifest && !strings.HasPrefix(spec, "./") && !strings.HasPrefix(spec, "../") {
		return "", false
	}
	to := filepath.Dir(m.after(file))
	target := filepath.Join(filepath.Dir(file), filepath.FromSlash(spec))
	switch {
	case file == m.From: // what it names stays where it is
	case m.Folder:
		if after := m.after(target); after != target || m.after(file) != file {
			target = after
		} else {
			return "", false
		}
	default:
		// Scripts name the sources that they are compiled from as if these were compiled.
		compiled := slices.Concat(language.Endings(language.JavaScript), language.Endings(language.JavaScriptReact))
		stem, whole := withoutEnding(m.From), !manifest && path.Ext(spec) == ""
		switch {
		case target == m.From:
			target = m.To
		case whole && target == stem:
			target = withoutEnding(m.To)
		case whole && filepath.Base(stem) == language.IndexName && target == filepath.Dir(stem):
			if target = withoutEnding(m.To); filepath.Base(target) == language.IndexName {
				target = filepath.Dir(target)
			}
		case !manifest && slices.Contains(compiled, path.Ext(spec)) && withoutEnding(target) == stem:
			target = withoutEnding(m.To) + path.Ext(spec)
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

// literal matches a string of JSON, or a comment, in which a quote begins none.
var literal = lazyregexp.New(`"(?:[^"\\\n]|\\.)*"|//[^\n]*|(?s:/\*.*?\*/)`)

// keepRelative mends what servers wrote into the configuration of scripts: without a baseUrl, paths must begin with ./ (TS5090),
// and servers leave that out.
func (e *Editor) keepRelative(plan *edit.Plan, adopted *adoption) error {
	for file := range adopted.taken {
		if language.Configured(filepath.Base(file)) != language.ScriptFamily || filepath.Base(file) == language.PackageJSON {
			continue
		}
		before, err := e.read(file)
		if err != nil {
			continue // there was none
		}
		after, err := plan.ReadFile(file)
		if err != nil {
			return err
		}
		if mended := relativeAsBefore(string(before), string(after)); mended != string(after) {
			if err := plan.Write(file, mended); err != nil {
				return err
			}
		}
	}
	return nil
}

// relativeAsBefore returns a text in which strings begin with ./ if they began so before they were changed. Nothing changes if the
// texts have different numbers of strings.
func relativeAsBefore(before, after string) string {
	was, is := literal.FindAllString(before, -1), literal.FindAllStringIndex(after, -1)
	if len(was) != len(is) {
		return after
	}
	for i, at := range slices.Backward(is) {
		now := after[at[0]:at[1]]
		if strings.HasPrefix(was[i], `"./`) && was[i] != now && strings.HasPrefix(now, `"`) && !strings.HasPrefix(now, `".`) && !strings.HasPrefix(now, `"/`) {
			after = after[:at[0]] + `"./` + now[1:] + after[at[1]:]
		}
	}
	return after
}
