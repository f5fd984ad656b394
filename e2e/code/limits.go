package code

import (
	"regexp"
	"slices"
	"strings"
)

// A Limit explains why an answer differs from the compiler's: a documented one, or one
// that is pending, because work on it goes on.
type Limit struct {
	// What it is about; what is empty is about all. change is sought in the text of the step.
	server, project, change string
	detail                  string // is sought in that of the mismatch
	ways                    []Way
	kinds                   []string
	Reason                  string

	pending bool
	// Met says that it explained something.
	Met bool
}

// Limits are documented: docs/reference/truth.md has them.
var Limits = []*Limit{
	{
		server: "gopls", kinds: []string{missed}, detail: `unclear: \S+ cannot be loaded`,
		Reason: "gopls reports a missing import in one file of a package, the compiler in each",
	},
	{
		server: "gopls", kinds: []string{count, standing}, detail: `\tother declaration of \S+ `,
		Reason: "asked about a single file, as in a large project, gopls checks the package without its tests: if a test declares the same name, gopls reports that only for the test, the compiler for both files",
	},
	{
		server: "gopls", kinds: []string{missed}, detail: `^\[\tother declaration of \S+\]$`,
		Reason: "for a test with a syntax error, gopls reports only that error; so, asked about a single file, it reports for neither file that both declare the same name",
	},
	{
		server: "gopls", change: `\bbrace \S+\.go`, kinds: []string{count, invented}, detail: `undefined`,
		Reason: "after a missing brace, gopls repairs the syntax tree, and the compiler's parser goes on in another way: they differ in what they take for declared, and so in what they report for packages that use it",
	},
	{
		server: "gopls", project: "cobra", kinds: []string{Unbroken}, detail: `^\d+: undefined: cobra\.\w+(?:; undefined: cobra\.\w+)*: map\[\]$`,
		Reason: "what only gopls reported after a missing brace is fixed when the brace is back",
	},
	{
		server: "gopls", project: "xmod", ways: outside, change: "^back to the beginning$", kinds: []string{Unfixed},
		Reason: "gopls may miss a file that comes back to a folder without other files; it is restarted then, and knows nothing of before: errors that went in files that nobody changed are not called fixed",
	},
	{
		server: "jdtls", change: "^(remove|parameter) .* close$", kinds: []string{missed, Unfixed},
		Reason: "if the class of a resource has lost its `close`, javac reports that where the resource is used, jdtls only where the class is",
	},
	{
		server: "jdtls", kinds: []string{missed, Unfixed}, detail: `in \w+ cannot implement \S+ in \w+`,
		Reason: "if a class no longer implements its interface, javac reports that also for each of its subclasses, jdtls only for the class",
	},
	{
		server: "jdtls", kinds: []string{invented, OldAsNew, Unbroken}, detail: `^\d+: (?:(?:; )?The hierarchy of the type \w+ is inconsistent)+(?:: map|$)`,
		Reason: "if a type is gone, jdtls reports that also in each of its subclasses, javac only where the type is named",
	},
	{
		server: "jdtls", change: `\bbrace \S+\.java`, kinds: []string{missed, Unfixed}, detail: `^\[cannot find symbol\]$`,
		Reason: "after a missing brace, javac does not find what the class declares further on, jdtls does",
	},
	{
		server: "jdtls", kinds: []string{invented, Unbroken}, detail: `^1: The declared package "[\w.]*" does not match the expected package "[\w.]+"`,
		Reason: "if a file's package does not match its folder, that is an error for jdtls, but not for javac, which finds a class by its package",
	},
	{
		server: "jdtls", kinds: []string{missed, Unfixed}, detail: `^\[missing return statement\]$`,
		Reason: "if a method has another error, jdtls does not report that it lacks a return",
	},
	{
		server: "jdtls", kinds: []string{missed, count, standing}, detail: `duplicate class`,
		Reason: "jdtls reports two classes with the same name only in the file that it built later, and not while that file is open",
	},
	{
		server: "jdtls", kinds: []string{OldAsNew}, detail: `^1: (?:[\w.]+ cannot be resolved|The (?:constructor|method) \w+\([^;]*\) is undefined)[^;]*: map\[cannot find symbol:\d\b.*\]$`,
		Reason: "for javac, every unknown name is the same error, for jdtls each is its own: where another name is unknown than before, only jdtls reports a new error",
	},
	{
		server: "rust-analyzer", change: `^(random: )?delete \S+/main\.rs$`, kinds: []string{Unfixed},
		Reason: "a file that is no longer in any crate, because the file that named it was deleted, is no longer reported on: its errors are gone, but not reported as fixed",
	},
	{
		server: "rust-analyzer", kinds: []string{Unfixed, invented}, detail: `^\[this file contains an unclosed delimiter\]$|^1: Syntax Error: [^;]*$`,
		Reason: "where a crate cannot be built, cargo reports nothing for the crates that use it; rust-analyzer still reports the syntax errors in their files",
	},
	{
		server: "clangd", kinds: []string{Unbroken}, detail: `: map\[.*(?:was not declared|has not been declared|has no member|does not name a type)`,
		Reason: "for an unknown name, clangd suggests a similar name if it finds one, and also reports what would be wrong with that name",
	},
	{
		server: "clangd", kinds: []string{invented}, detail: `^\d+: (?:(?:; )?In included file: [^;]*)+$`,
		Reason: "clangd reports an error of a header also where the header is included; a file that uses nothing of what changed there is not asked about, and is reported with a later change",
	},
	{
		server: "clangd", kinds: []string{missed, standing, Unfixed}, detail: `'int main\(.*\)' takes only zero or two arguments`,
		Reason: "a `main` with one parameter is an error for g++ and a warning for clang",
	},
	{
		server: "clangd", kinds: []string{missed, Unfixed}, detail: `no declaration matches '|ambiguating new declaration of '`,
		Reason: "of a declaration that does not fit another, g++ names the whole signature, clangd at most the name: if the signature changes and still does not fit, that is another error for g++ only",
	},
	{
		server: "pyright", kinds: []string{count, standing, Unbroken, OldAsNew}, detail: `is unknown import symbol`,
		Reason: "where a folder without Python files has the name of a deleted package, pyright's server reports each unknown name or, after it has looked for imports anew, an import that cannot be resolved; its command line reports each unknown name",
	},
}

// Pending are mismatches whose cause is not known, or not fixed yet. Their entries go
// with them.
var Pending []*Limit

// outside are the ways by which others make a change.
var outside = []Way{ByWrite, ByGit, ByOnce}

func init() {
	for _, l := range Pending {
		l.pending = true
	}
}

// limitOf returns the entry that explains a mismatch, or nil.
func limitOf(server, project string, by Way, text string, m Mismatch) *Limit {
	for _, list := range [][]*Limit{Limits, Pending} {
		for _, l := range list {
			if l.fits(server, project, by, text, m) {
				return l
			}
		}
	}
	return nil
}

func (l *Limit) fits(server, project string, by Way, text string, m Mismatch) bool {
	return (l.server == "" || regexp.MustCompile("^(?:"+l.server+")$").MatchString(server)) &&
		(l.project == "" || regexp.MustCompile("^(?:"+l.project+")$").MatchString(project)) &&
		(l.detail == "" || regexp.MustCompile(l.detail).MatchString(m.detail)) &&
		(l.change == "" || regexp.MustCompile("(?m)"+l.change).MatchString(text)) &&
		(len(l.ways) == 0 || slices.Contains(l.ways, by)) && (len(l.kinds) == 0 || slices.Contains(l.kinds, m.kind))
}

// About says what it is about.
func (l *Limit) About() string {
	var words []string
	for _, word := range []string{strings.ReplaceAll(l.server, "|", ", "), strings.ReplaceAll(l.project, "|", ", ")} {
		if word != "" {
			words = append(words, word)
		}
	}
	if l.change != "" {
		words = append(words, "`"+l.change+"`")
	}
	for _, by := range l.ways {
		words = append(words, "by "+string(by))
	}
	if len(l.kinds) > 0 {
		words = append(words, "("+strings.Join(l.kinds, ", ")+")")
	}
	return strings.Join(words, " ")
}
