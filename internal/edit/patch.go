package edit

import (
	"fmt"
	"strings"
)

// A filePatch is what a patch says of one file.
type filePatch struct {
	line     int    // where it begins in the patch, 1-based
	from, to string // "" for /dev/null
	renamed  bool   // said so, not only named so
	// whole says that a deletion needs no hunks that show the text.
	whole bool
	hunks []hunk
}

// A hunk is a stretch of lines to find, and what they become.
type hunk struct {
	number, line int // in the file and in the patch, 1-based
	// stated is the 0-based line of the file where it says to begin, or -1.
	stated   int
	old, new int      // the stated counts of lines, or -1
	anchors  []string // lines that stand somewhere before it, in order
	atEnd    bool     // its last line is the last of the file
	lines    []hunkLine
}

// A hunkLine is kept (' '), taken out ('-') or put in ('+').
type hunkLine struct {
	op    byte
	text  string // with \r, if the patch has it, without \n
	noEnd bool   // the last line of a file, without a line ending
	bare  bool   // it came without the blank of a kept line
}

// count returns how many lines of the file before and after the hunk has.
func (h *hunk) count() (old, new int) {
	for _, l := range h.lines {
		if l.op != '+' {
			old++
		}
		if l.op != '-' {
			new++
		}
	}
	return old, new
}

// Patch makes the changes of a patch: unified diffs as git or diff write them,
// or an envelope of "*** Begin Patch". It finds the place of a hunk although
// line numbers or counts are wrong or missing, or blanks around lines differ; if
// that could be in more than one place, or in none, it is a *HunkError. Kept
// lines stay as they are in the file. A patch that cannot be read is a
// *PatchError. Text around a patch in a Markdown code fence is ignored.
func (p *Plan) Patch(text string) error {
	return p.allOrNone(func() error {
		files, err := parsePatch(text)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := p.patchFile(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// A patchReader reads a patch by lines. at is the 0-based line that comes next.
type patchReader struct {
	lines []string
	at    int
}

func (r *patchReader) done() bool { return r.at >= len(r.lines) }

// next returns a line from here on, "" past the end.
func (r *patchReader) next(ahead int) string {
	if r.at+ahead >= len(r.lines) {
		return ""
	}
	return r.lines[r.at+ahead]
}

func (r *patchReader) fail(format string, args ...any) error {
	return &PatchError{r.at + 1, fmt.Sprintf(format, args...)}
}

func parsePatch(text string) ([]filePatch, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	carried := true // a patch that itself has \r\n, whatever its files have
	for _, line := range lines {
		carried = carried && strings.HasSuffix(line, "\r")
	}
	if text == "" || carried && len(lines) == 1 {
		return nil, &PatchError{1, "the patch is empty"}
	}
	if carried || strings.HasSuffix(text, "\r\n") && headersHaveCR(lines) {
		for i := range lines {
			lines[i] = strings.TrimSuffix(lines[i], "\r")
		}
	}
	r := &patchReader{lines: lines}
	fenced := false
	for ; !r.done() && !r.begins(); r.at++ {
		fenced = fenced || strings.HasPrefix(strings.TrimSpace(r.next(0)), "```")
	}
	if r.done() {
		r.at = 0
		return nil, r.fail(`no file is named: a patch begins with "--- a/file" and "+++ b/file", or with "*** Begin Patch"`)
	}
	if fenced {
		r.cutAtFence()
	}
	if isEnvelopeHead(r.next(0)) || strings.HasPrefix(r.next(0), "*** ") && !strings.HasPrefix(r.next(0), "*** a/") {
		return r.envelope()
	}
	return r.unified()
}

// headersHaveCR reports whether the lines that name files and places end with
// \r, too: then the patch was carried with \r\n, and may have lost some.
func headersHaveCR(lines []string) bool {
	for _, line := range lines {
		for _, head := range []string{"--- ", "+++ ", "@@", "diff --git ", "*** Begin Patch"} {
			if strings.HasPrefix(line, head) && !strings.HasSuffix(line, "\r") {
				return false
			}
		}
	}
	return true
}

// begins reports whether a patch begins here.
func (r *patchReader) begins() bool {
	line := r.next(0)
	return strings.HasPrefix(line, "diff --git ") || isEnvelopeHead(line) || r.namesFiles()
}

// namesFiles reports whether the two lines that name a file are here.
func (r *patchReader) namesFiles() bool {
	return strings.HasPrefix(r.next(0), "--- ") && strings.HasPrefix(r.next(1), "+++ ")
}

// cutAtFence ends the patch at the line that closes its code block.
func (r *patchReader) cutAtFence() {
	for i := len(r.lines) - 1; i > r.at; i-- {
		if strings.HasPrefix(strings.TrimSpace(r.lines[i]), "```") && !strings.HasPrefix(r.lines[i], " ") {
			r.lines = r.lines[:i]
			return
		}
	}
}

// unified reads diffs of files until the end.
func (r *patchReader) unified() ([]filePatch, error) {
	var files []filePatch
	for !r.done() {
		switch line := r.next(0); {
		case strings.HasPrefix(line, "diff --git "):
			f, err := r.gitFile()
			if err != nil {
				return nil, err
			}
			files = append(files, f)
		case r.namesFiles():
			f := filePatch{line: r.at + 1}
			r.names(&f)
			if err := r.hunks(&f); err != nil {
				return nil, err
			}
			if len(f.hunks) == 0 {
				return nil, r.fail("no hunk follows: it begins with @@")
			}
			files = append(files, f)
		case strings.HasPrefix(line, "@@"):
			return nil, r.fail("a hunk without a file before it")
		default: // prose between the files, "Index:" lines, a signature
			r.at++
		}
	}
	return files, nil
}

// gitFile reads the headers of git, and the hunks if there are any.
func (r *patchReader) gitFile() (filePatch, error) {
	f := filePatch{line: r.at + 1}
	f.from, f.to = gitNames(strings.TrimPrefix(r.next(0), "diff --git "))
	created, deleted := false, false
	for r.at++; !r.done() && !r.namesFiles(); r.at++ {
		line := r.next(0)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "new file mode"):
			created = true
		case strings.HasPrefix(line, "deleted file mode"):
			deleted = true
		case strings.HasPrefix(line, "rename from "):
			f.from, f.renamed = unquoted(line[len("rename from "):]), true
		case strings.HasPrefix(line, "rename to "):
			f.to, f.renamed = unquoted(line[len("rename to "):]), true
		case strings.HasPrefix(line, "copy from "):
			return f, r.fail("a copy is not made; create the file")
		case strings.HasPrefix(line, "GIT binary patch"), word == "Binary" && strings.HasSuffix(rest, " differ"):
			return f, r.fail("a change of a binary file")
		case word != "index" && word != "similarity" && word != "dissimilarity" && word != "old" && word != "new":
			return r.headless(f, created, deleted)
		}
	}
	if r.done() {
		return r.headless(f, created, deleted)
	}
	from, to := f.from, f.to
	r.names(&f)
	if f.renamed {
		f.from, f.to = from, to
	}
	return f, r.hunks(&f)
}

// headless ends the headers of a file that has no hunks.
func (r *patchReader) headless(f filePatch, created, deleted bool) (filePatch, error) {
	switch {
	case created:
		f.from = ""
	case deleted:
		f.to, f.whole = "", true
	case !f.renamed && strings.HasPrefix(r.next(0), "@@"):
		return f, r.hunks(&f)
	case !f.renamed:
		return f, r.fail("no hunk of %s follows: it begins with @@", f.to)
	}
	return f, nil
}

// names reads the two lines that name the file before and after.
func (r *patchReader) names(f *filePatch) {
	name := func(line string) string {
		line, _, _ = strings.Cut(line, "\t") // a time
		return unquoted(strings.TrimRight(line, " \r"))
	}
	f.from, f.to = name(r.next(0)[len("--- "):]), name(r.next(1)[len("+++ "):])
	r.at += 2
	const nothing = "/dev/null"
	if (strings.HasPrefix(f.from, "a/") || f.from == nothing) && (strings.HasPrefix(f.to, "b/") || f.to == nothing) {
		f.from, f.to = strings.TrimPrefix(f.from, "a/"), strings.TrimPrefix(f.to, "b/")
	} else {
		f.from, f.to = bareNames(f.from, f.to)
	}
	if f.from == nothing {
		f.from = ""
	}
	if f.to == nothing {
		f.to = ""
	}
}

// gitNames splits "a/name b/name", which is only told for equal names, or
// quoted ones; others are renames, of which further lines tell.
func gitNames(both string) (from, to string) {
	both = strings.TrimRight(both, " \r")
	if half := len(both) / 2; len(both)%2 == 1 && both[half] == ' ' {
		from, to = unquoted(both[:half]), unquoted(both[half+1:])
	} else {
		from, to, _ = strings.Cut(both, " ")
	}
	if !strings.HasPrefix(from, "a/") {
		return bareNames(from, to)
	}
	return strings.TrimPrefix(from, "a/"), strings.TrimPrefix(to, "b/")
}

// bareNames returns the two names of one file without what git puts before them: b/ and a/ in a reverse diff, or letters that say
// what is compared (diff.mnemonicPrefix). Other names it returns as they are.
func bareNames(from, to string) (string, string) {
	const letters = "abciow12"
	if len(from) > 2 && len(to) > 2 && from[1:] == to[1:] && from[1] == '/' && from[0] != to[0] &&
		strings.IndexByte(letters, from[0]) >= 0 && strings.IndexByte(letters, to[0]) >= 0 {
		return from[2:], to[2:]
	}
	return from, to
}

// unquoted undoes the quotes of git: "a\tb\303\244".
func unquoted(name string) string {
	if len(name) < 2 || name[0] != '"' || name[len(name)-1] != '"' {
		return name
	}
	var b strings.Builder
	for s := name[1 : len(name)-1]; s != ""; s = s[1:] {
		if s[0] != '\\' || len(s) == 1 {
			b.WriteByte(s[0])
			continue
		}
		s = s[1:]
		if octal := s[:min(3, len(s))]; len(octal) == 3 && strings.Trim(octal, "01234567") == "" {
			b.WriteByte((octal[0]-'0')<<6 | (octal[1]-'0')<<3 | (octal[2] - '0'))
			s = s[2:]
			continue
		}
		if i := strings.IndexByte("abtnvfr", s[0]); i >= 0 {
			b.WriteByte("\a\b\t\n\v\f\r"[i])
		} else {
			b.WriteByte(s[0])
		}
	}
	return b.String()
}
