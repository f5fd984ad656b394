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
	ways                    []way
	kinds                   []string
	reason                  string

	pending, met bool
}

// limits are documented: docs/reference/truth.md has them.
var limits = []*limit{
	{
		server: "jdtls", change: "^remove .* close$", kinds: []string{missed, unfixed},
		reason: "of a resource whose class has lost its `close` javac says so where it is used, jdtls only where the class is",
	},
}

// pending are mismatches that work in other places is about to end. When that has
// landed, their entries go.
var pending = []*limit{
	{
		server: "typescript|typescript-language-server|pyright|clangd|jdtls", ways: outside, kinds: []string{missed, verdictOf, unfixed},
		reason: "check does not look at the files that use what was changed by others",
	},
	{project: "go-replace|cargo-paths", kinds: []string{missed, verdictOf, unfixed}, reason: "each root has a server of its own, which is not told of changes in others"},
	{
		project: "npm-workspaces|pnpm-links|ts-references", kinds: []string{missed, verdictOf, unfixed},
		reason: "users through a package name, paths or references are not found, nor what goes with package.json",
	},
	{
		server: "typescript|typescript-language-server|pyright|clangd", change: "^(above|append|prepend) ", kinds: []string{missed, verdictOf, unfixed},
		reason: "the users of what a change only inserts are not found",
	},
	{
		change: "(go.mod|go.work|Cargo.toml|tsconfig[.a-z]*json|pyproject.toml|pyrightconfig.json) ", kinds: []string{missed, verdictOf, unfixed},
		reason: "what a change of the configuration breaks is not looked for",
	},
	{change: "(move|random: .*move) ", kinds: []string{oldAsNew, invented}, reason: "the older errors of a file that is renamed count as new"},
	{server: "clangd", ways: outside, kinds: []string{invented, oldAsNew}, reason: "what was wrong in an included file before counts as new in another that is not asked about"},
	{
		server: "clangd", change: "beginning", ways: outside, kinds: []string{standing, unfixed},
		reason: "seen once, on a loaded machine: a header and its user went back at once, and the user was judged as it was before",
	},
	{
		server: "gopls", project: "go-work|go-replace", change: "beginning|^sed ", kinds: []string{invented, standing, missed, unbroken, verdictOf},
		reason: "seen in some runs: after the only file of a package went and came back outside, gopls still says that there are no Go files, and later that what it declares is undefined",
	},
	{kinds: []string{unwhole}, reason: "the verdict of an answer of which a part is not fresh is to be unknown"},
	{ways: outside, kinds: []string{unfixed}, reason: "check does not list what was mended in other files"},
}

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
		(l.change == "" || regexp.MustCompile(l.change).MatchString(text)) &&
		(len(l.ways) == 0 || slices.Contains(l.ways, by)) && (len(l.kinds) == 0 || slices.Contains(l.kinds, m.kind))
}
