package truth

import (
	"regexp"
	"slices"
)

// A limit explains why an answer differs from the compiler's: a documented one, or one
// that is pending, because work on it goes on.
type limit struct {
	// What it is about; what is empty is about all. change is sought in the text of the step.
	server, project, change string
	detail                  string // is sought in that of the mismatch
	ways                    []way
	kinds                   []string
	reason                  string

	pending, met bool
}

// limits are documented: docs/reference/truth.md has them.
var limits = []*limit{
	{
		server: "gopls", kinds: []string{missed}, detail: `unclear: \S+ cannot be loaded`,
		reason: "gopls reports a missing import in one file of a package, the compiler in each",
	},
	{
		server: "gopls", kinds: []string{count, standing}, detail: `\tother declaration of \S+ `,
		reason: "asked about a single file, as in a large project, gopls checks the package without its tests: if a test declares the same name, gopls reports that only for the test, the compiler for both files",
	},
	{
		server: "gopls", kinds: []string{missed}, detail: `^\[\tother declaration of \S+\]$`,
		reason: "for a test with a syntax error, gopls reports only that error; so, asked about a single file, it reports for neither file that both declare the same name",
	},
	{
		server: "gopls", change: `\bbrace \S+\.go`, kinds: []string{count, invented}, detail: `undefined`,
		reason: "after a missing brace, gopls repairs the syntax tree, and the compiler's parser goes on in another way: they differ in what they take for declared, and so in what they report for packages that use it",
	},
	{
		server: "gopls", project: "cobra", kinds: []string{unbroken}, detail: `^\d+: undefined: cobra\.\w+(?:; undefined: cobra\.\w+)*: map\[\]$`,
		reason: "what only gopls reported after a missing brace is fixed when the brace is back",
	},
	{
		server: "gopls", project: "xmod", ways: outside, change: "^back to the beginning$", kinds: []string{unfixed},
		reason: "gopls may miss a file that comes back to a folder without other files; it is restarted then, and knows nothing of before: errors that went in files that nobody changed are not called fixed",
	},
	{
		server: "jdtls", change: "^(remove|parameter) .* close$", kinds: []string{missed, unfixed},
		reason: "if the class of a resource has lost its `close`, javac reports that where the resource is used, jdtls only where the class is",
	},
	{
		server: "jdtls", kinds: []string{missed, unfixed}, detail: `in \w+ cannot implement \S+ in \w+`,
		reason: "if a class no longer implements its interface, javac reports that also for each of its subclasses, jdtls only for the class",
	},
	{
		server: "jdtls", kinds: []string{invented, oldAsNew, unbroken}, detail: `^\d+: (?:(?:; )?The hierarchy of the type \w+ is inconsistent)+(?:: map|$)`,
		reason: "if a type is gone, jdtls reports that also in each of its subclasses, javac only where the type is named",
	},
	{
		server: "jdtls", change: `\bbrace \S+\.java`, kinds: []string{missed, unfixed}, detail: `^\[cannot find symbol\]$`,
		reason: "after a missing brace, javac does not find what the class declares further on, jdtls does",
	},
	{
		server: "jdtls", kinds: []string{invented, unbroken}, detail: `^1: The declared package "[\w.]*" does not match the expected package "[\w.]+"`,
		reason: "if a file's package does not match its folder, that is an error for jdtls, but not for javac, which finds a class by its package",
	},
	{
		server: "jdtls", kinds: []string{missed, unfixed}, detail: `^\[missing return statement\]$`,
		reason: "if a method has another error, jdtls does not report that it lacks a return",
	},
	{
		server: "jdtls", kinds: []string{missed, count, standing}, detail: `duplicate class`,
		reason: "jdtls reports two classes with the same name only in the file that it built later, and not while that file is open",
	},
	{
		server: "jdtls", kinds: []string{oldAsNew}, detail: `^1: (?:[\w.]+ cannot be resolved|The (?:constructor|method) \w+\([^;]*\) is undefined)[^;]*: map\[cannot find symbol:\d\b.*\]$`,
		reason: "for javac, every unknown name is the same error, for jdtls each is its own: where another name is unknown than before, only jdtls reports a new error",
	},
	{
		server: "rust-analyzer", change: `^(random: )?delete \S+/main\.rs$`, kinds: []string{unfixed},
		reason: "a file that is no longer in any crate, because the file that named it was deleted, is no longer reported on: its errors are gone, but not reported as fixed",
	},
	{
		server: "rust-analyzer", kinds: []string{unfixed}, detail: `^\[this file contains an unclosed delimiter\]$`,
		reason: "where a crate cannot be built, cargo reports nothing for the crates that use it; rust-analyzer still reports the syntax errors in their files",
	},
	{
		server: "clangd", kinds: []string{unbroken}, detail: `: map\[.*(?:was not declared|has not been declared|has no member|does not name a type)`,
		reason: "for an unknown name, clangd suggests a similar name if it finds one, and also reports what would be wrong with that name",
	},
	{
		server: "clangd", kinds: []string{invented}, detail: `^\d+: (?:(?:; )?In included file: [^;]*)+$`,
		reason: "clangd reports an error of a header also where the header is included; a file that uses nothing of what changed there is not asked about, and is reported with a later change",
	},
	{
		server: "clangd", kinds: []string{missed, standing, unfixed}, detail: `'int main\(.*\)' takes only zero or two arguments`,
		reason: "a `main` with one parameter is an error for g++ and a warning for clang",
	},
	{
		server: "clangd", kinds: []string{missed, unfixed}, detail: `no declaration matches '|ambiguating new declaration of '`,
		reason: "of a declaration that does not fit another, g++ names the whole signature, clangd at most the name: if the signature changes and still does not fit, that is another error for g++ only",
	},
	{
		server: "pyright", kinds: []string{count, standing, unbroken, oldAsNew}, detail: `is unknown import symbol`,
		reason: "where a folder without Python files has the name of a deleted package, pyright's server reports each unknown name or, after it has looked for imports anew, an import that cannot be resolved; its command line reports each unknown name",
	},
}

// pending are mismatches whose cause is not known, or not fixed yet. Their entries go
// with them.
var pending []*limit

// outside are the ways by which others make a change.
var outside = []way{byWrite, byGit, byOnce}

func init() {
	for _, l := range pending {
		l.pending = true
	}
}

// limitOf returns the entry that explains a mismatch, or nil.
func limitOf(server, project string, by way, text string, m mismatch) *limit {
	for _, list := range [][]*limit{limits, pending} {
		for _, l := range list {
			if l.fits(server, project, by, text, m) {
				return l
			}
		}
	}
	return nil
}

func (l *limit) fits(server, project string, by way, text string, m mismatch) bool {
	return (l.server == "" || regexp.MustCompile("^(?:"+l.server+")$").MatchString(server)) &&
		(l.project == "" || regexp.MustCompile("^(?:"+l.project+")$").MatchString(project)) &&
		(l.detail == "" || regexp.MustCompile(l.detail).MatchString(m.detail)) &&
		(l.change == "" || regexp.MustCompile(l.change).MatchString(text)) &&
		(len(l.ways) == 0 || slices.Contains(l.ways, by)) && (len(l.kinds) == 0 || slices.Contains(l.kinds, m.kind))
}
