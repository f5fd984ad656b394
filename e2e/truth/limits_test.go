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
		reason: "of an import that is not there gopls speaks in one of the files of a package, the compiler in each",
	},
	{
		server: "gopls", kinds: []string{count, standing}, detail: `\tother declaration of \S+ `,
		reason: "asked about one file, as it is in a large project, gopls looks at the package without its tests: that a test declares a name as well it says of the test alone, the compiler of both files",
	},
	{
		server: "gopls", kinds: []string{missed}, detail: `^\[\tother declaration of \S+\]$`,
		reason: "of a test that has an error of syntax gopls says that alone, so that there, asked about one file, it says of neither that both declare a name",
	},
	{
		server: "jdtls", change: "^(remove|parameter) .* close$", kinds: []string{missed, unfixed},
		reason: "of a resource whose class has lost its `close` javac says so where it is used, jdtls only where the class is",
	},
	{
		server: "jdtls", kinds: []string{missed, unfixed}, detail: `in \w+ cannot implement \S+ in \w+`,
		reason: "that a class does not implement its interface any more javac says of each class below it, too, jdtls of the class alone",
	},
	{
		server: "jdtls", kinds: []string{invented, oldAsNew, unbroken}, detail: `^\d+: (?:(?:; )?The hierarchy of the type \w+ is inconsistent)+(?:: map|$)`,
		reason: "of a type that is gone jdtls says so in each class below it, too, javac where it is named",
	},
	{
		server: "jdtls", change: `\bbrace \S+\.java`, kinds: []string{missed, unfixed}, detail: `^\[cannot find symbol\]$`,
		reason: "behind a brace that is missing javac does not find what a class declares further on, jdtls does",
	},
	{
		server: "jdtls", change: "^move use using$", kinds: []string{invented},
		reason: "that a file's package is not that of its folder is an error to jdtls, and none to javac, which finds a class by its package",
	},
	{
		server: "jdtls", kinds: []string{missed, count, standing}, detail: `duplicate class`,
		reason: "of two classes of one name jdtls speaks only in the file that it built later, and not while that is open",
	},
	{
		server: "rust-analyzer", change: `^(random: )?delete \S+/main\.rs$`, kinds: []string{unfixed},
		reason: "of a file that is in no crate any more, because the one that named it went, nothing is said: its errors are not there, and not mended",
	},
	{
		server: "rust-analyzer", kinds: []string{unfixed}, detail: `^\[this file contains an unclosed delimiter\]$`,
		reason: "where a crate cannot be built cargo says nothing of those that use it; what is wrong with the syntax of their files rust-analyzer says still",
	},
	{
		server: "clangd", kinds: []string{unbroken}, detail: `: map\[.*(?:was not declared|has not been declared|has no member|does not name a type)`,
		reason: "of a name that is not known clangd says what may be meant, as long as it finds one like it, and what is wrong if that is meant",
	},
	{
		server: "clangd", ways: outside, kinds: []string{invented, oldAsNew},
		reason: "clangd reads headers from disk: what was wrong before in a file that uses a header, and was never asked about, is not known, and counts as new",
	},
	{
		server: "pyright", kinds: []string{count, standing, unbroken}, detail: `is unknown import symbol`,
		reason: "where a folder without Python files has the name of a package that went, pyright's server says of an import that it cannot be resolved, its command line of each name that is not known",
	},
}

// pending are mismatches whose cause is not known, or not mended yet. Their entries go
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
