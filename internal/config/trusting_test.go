package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A person has a folder for a configuration, and says of checkouts whether they are trusted.
type person struct {
	t       *testing.T
	environ []string
}

func newPerson(t *testing.T) *person {
	t.Helper()
	home := t.TempDir()
	return &person{t, []string{"HOME=" + home, "USERPROFILE=" + home, "APPDATA=" + home, "XDG_CONFIG_HOME=" + home}}
}

// A standing is how a checkout stands: what the user said of it, and what comes of that.
type standing struct {
	Given, Changed, Denied bool
	By                     string
	// Runs is whether the server of its file runs, Folder whether what lies in it may.
	Runs, Folder bool
}

// wanting are files of a checkout that wants to run a command of its own.
func wanting(command string) string {
	return `{"lsp": {"servers": {"mine": {"command": "` + command + `", "extensions": [".x"]}}}}`
}

// of returns how a checkout stands, with more variables in the environment.
func (p *person) of(root string, more ...string) (s standing, c *Config) {
	p.t.Helper()
	c, problems := Load(Options{Root: root, Environ: append(p.environ[:len(p.environ):len(p.environ)], more...)})
	if len(problems) > 0 {
		p.t.Fatal(problems)
	}
	_, runs := c.Servers.Get("mine")
	return standing{c.Trust.Given, c.Trust.Changed, c.Trust.Denied, c.Trust.By, runs, c.Settings.Trusts(root)}, c
}

// stands compares how a checkout stands with what is wanted.
func (p *person) stands(about, root string, want standing, more ...string) {
	p.t.Helper()
	got, _ := p.of(root, more...)
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("%s (-want +got):\n%s", about, diff)
	}
}

// says fails the test unless what was said changed something, or did not.
func (p *person) says(want bool) func(changed bool, err error) {
	return func(changed bool, err error) {
		p.t.Helper()
		if changed != want || err != nil {
			p.t.Errorf("changed %t, want %t: %v", changed, want, err)
		}
	}
}

func (p *person) trusts(root string) (changed bool, err error) {
	_, c := p.of(root)
	return SetTrust(p.environ, root, c.Trust.Hash)
}

var (
	whole    = standing{Given: true, Runs: true, Folder: true}
	stranger = standing{}
)

// All checkouts are trusted or none, if the user says so in a variable or in a file: never wins over what was
// said of a folder, and over the folders that a setting names. A checkout cannot say it of itself.
func TestTrustOfAllCheckoutsOrNone(t *testing.T) {
	root := lsptest.Workspace(t, "-- .lspine.jsonc --\n"+wanting("x")+"\n")
	own := lsptest.Workspace(t, "-- .lspine.jsonc --\n"+`{"lsp": {"trust": "always", "servers": {"mine": {"command": "x", "extensions": [".x"]}}}}`+"\n")
	roots := "LSPINE_TRUSTED_ROOTS=" + root
	for _, c := range []struct {
		name    string
		file    string // of the user
		trusted bool   // by what the user said
		more    []string
		want    standing
	}{
		{"nothing is said", "", false, nil, stranger},
		{"ask", "", false, []string{"LSPINE_TRUST=ask"}, stranger},
		{"ask, of a trusted one", "", true, []string{"LSPINE_TRUST=ask"}, whole},
		{"always", "", false, []string{"LSPINE_TRUST=always"}, whole},
		{"always, in the file", `{"lsp": {"trust": "always"}}`, false, nil, whole},
		{"a variable wins over the file", `{"lsp": {"trust": "always"}}`, false, []string{"LSPINE_TRUST=never"}, stranger},
		{"its folder is named", "", false, []string{roots}, standing{Folder: true}},
		{"never, although its folder is named", "", false, []string{roots, "LSPINE_TRUST=never"}, stranger},
		{"never, although it is trusted", "", true, []string{"LSPINE_TRUST=never"}, stranger},
		{"never, in the file", `{"lsp": {"trust": "never"}}`, true, []string{roots}, stranger},
	} {
		p := newPerson(t)
		if c.file != "" {
			lsptest.WriteFile(t, UserFile(p.environ), c.file)
		}
		if c.trusted {
			if _, err := p.trusts(root); err != nil {
				t.Fatal(err)
			}
		}
		p.stands(c.name, root, c.want, c.more...)
	}
	p := newPerson(t)
	p.stands("a checkout that says it of itself", own, stranger)
	_, c := p.of(own)
	if diff := cmp.Diff([]string{"trust", "command"}, []string{c.Untrusted[0].Field, c.Untrusted[1].Field}); diff != "" || c.Settings.Trust != TrustAsk {
		t.Errorf("it has %q, and is not given (-want +got):\n%s", c.Settings.Trust, diff)
	}
	p.says(true)(p.trusts(own))
	p.stands("also one that is trusted says nothing of others", own, whole)
	if _, c = p.of(own); c.Settings.Trust != TrustAsk || len(c.Untrusted) != 1 {
		t.Errorf("it has %q, and is not given %v", c.Settings.Trust, c.Untrusted)
	}
	if _, problems := Load(Options{Environ: append(p.environ, "LSPINE_TRUST=sometimes")}); len(problems) != 1 {
		t.Errorf("of a value that is none: %v", problems)
	}
}

// What lies below a trusted folder is trusted, also what comes later and wants to run anything; a neighbour is
// not, whose name begins alike. A checkout below it is trusted as long as the folder is.
func TestTrustOfAllBelowAFolder(t *testing.T) {
	p := newPerson(t)
	dir := lsptest.Workspace(t, "-- work/a/.lspine.jsonc --\n"+wanting("x")+"\n-- work2/.lspine.jsonc --\n"+wanting("x")+"\n-- a.x --\n")
	work, a := filepath.Join(dir, "work"), filepath.Join(dir, "work", "a")
	below := standing{Given: true, By: work, Runs: true, Folder: true}
	p.stands("before", a, stranger)
	p.says(true)(TrustBelow(p.environ, work))
	p.says(false)(TrustBelow(p.environ, work))
	p.stands("below", a, below)
	p.stands("a neighbour", filepath.Join(dir, "work2"), stranger)
	p.stands("the folder above", dir, stranger)
	lsptest.WriteFile(t, filepath.Join(a, ".lspine.jsonc"), wanting("other"))
	p.stands("it wants something else", a, below)
	later := filepath.Join(work, "deep", "later")
	lsptest.WriteFile(t, filepath.Join(later, ".lspine.jsonc"), wanting("later"))
	p.stands("what comes later", later, below)
	p.stands("never", a, stranger, "LSPINE_TRUST=never")

	p.says(true)(p.trusts(a))
	p.stands("trusted by itself, too", a, whole)
	p.says(true)(SetTrust(p.environ, work, ""))
	p.says(false)(SetTrust(p.environ, work, ""))
	p.stands("by itself alone", a, whole)
	p.stands("no longer", later, stranger)

	if _, err := TrustBelow(p.environ, filepath.Join(dir, "gone")); err == nil {
		t.Error("a folder is trusted that is not there")
	}
}

// Whoever was asked and said no is remembered, until trust is given, or what was said is taken back.
func TestDeniedTrust(t *testing.T) {
	p := newPerson(t)
	root := lsptest.Workspace(t, "-- .lspine.jsonc --\n"+wanting("x")+"\n")
	deny := func() {
		t.Helper()
		if err := DenyTrust(p.environ, root); err != nil {
			t.Fatal(err)
		}
	}
	denied := standing{Denied: true}
	deny()
	p.stands("no", root, denied)
	deny()
	p.stands("no once more", root, denied)
	lsptest.WriteFile(t, filepath.Join(root, ".lspine.jsonc"), wanting("other"))
	p.stands("no, whatever it wants", root, denied)
	p.says(true)(p.trusts(root))
	p.stands("yes", root, whole)
	p.says(true)(SetTrust(p.environ, root, ""))
	p.stands("yes, taken back", root, stranger)
	deny()
	p.says(true)(SetTrust(p.environ, root, ""))
	p.stands("no, taken back", root, stranger)
	deny()
	p.says(true)(TrustBelow(p.environ, filepath.Dir(root)))
	p.stands("no, and later yes to all around it", root, standing{Given: true, By: filepath.Dir(root), Runs: true, Folder: true})
}

// A linked worktree of a trusted checkout is trusted as it is, for what that was trusted for; not a folder that only says it
// is one, nor one whose repository does not know it where it is.
func TestTrustOfWorktrees(t *testing.T) {
	p := newPerson(t)
	dir := lsptest.Workspace(t, "-- main/.lspine.jsonc --\n"+wanting("x")+"\n-- false/.lspine.jsonc --\n"+wanting("x")+"\n-- work/c/a.txt --\n")
	main, linked, odd, fake := filepath.Join(dir, "main"), filepath.Join(dir, "linked"), filepath.Join(dir, "odd"), filepath.Join(dir, "false")
	git := func(args ...string) { t.Helper(); lsptest.Git(t, main, args...) }
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	git("worktree", "add", "-q", linked)
	git("worktree", "add", "-q", odd)
	lsptest.WriteFile(t, filepath.Join(odd, ".lspine.jsonc"), wanting("other"))
	pointer, err := os.ReadFile(filepath.Join(linked, ".git"))
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(fake, ".git"), string(pointer))
	p.stands("before", linked, stranger)
	p.says(true)(p.trusts(main))
	p.stands("the checkout", main, whole)
	p.stands("a worktree", linked, whole)
	p.stands("a worktree that wants something else", odd, standing{Changed: true})
	p.stands("a folder that names the entry of another one", fake, stranger)
	p.stands("a folder of the worktree", filepath.Join(linked, ".git", ".."), whole)

	for name, text := range map[string]string{
		"an entry that is not there":       "gitdir: " + filepath.Join(main, ".git", "worktrees", "none") + "\n",
		"the folder of the repository":     "gitdir: " + filepath.Join(main, ".git") + "\n",
		"an entry of its own":              "gitdir: own/.git/worktrees/x\n",
		"an entry in no folder of entries": "gitdir: " + filepath.Join(main, ".git", "others", "false") + "\n",
		"no entry":                         "gitdir:\n",
	} {
		lsptest.WriteFile(t, filepath.Join(fake, ".git"), text)
		lsptest.WriteFile(t, filepath.Join(fake, "own", ".git", "worktrees", "x", "gitdir"), filepath.Join(fake, ".git")+"\n")
		lsptest.WriteFile(t, filepath.Join(main, ".git", "others", "false", "gitdir"), filepath.Join(fake, ".git")+"\n")
		p.stands("a folder that names "+name, fake, stranger)
	}

	if err := DenyTrust(p.environ, linked); err != nil {
		t.Fatal(err)
	}
	p.stands("a worktree of which the user said no", linked, standing{Denied: true})
	p.says(true)(SetTrust(p.environ, linked, ""))
	p.says(true)(SetTrust(p.environ, main, ""))
	p.stands("a worktree of what is no longer trusted", linked, stranger)
	if err := DenyTrust(p.environ, main); err != nil {
		t.Fatal(err)
	}
	p.stands("a worktree of what was denied", linked, standing{Denied: true})
}

// A worktree is trusted wherever it is, if its repository lies below a trusted folder.
func TestTrustOfWorktreesOfWhatIsBelowAFolder(t *testing.T) {
	p := newPerson(t)
	dir := lsptest.Workspace(t, "-- work/main/.lspine.jsonc --\n"+wanting("x")+"\n")
	work, main, linked := filepath.Join(dir, "work"), filepath.Join(dir, "work", "main"), filepath.Join(dir, "linked")
	lsptest.Git(t, main, "init", "-q")
	lsptest.Git(t, main, "add", ".")
	lsptest.Git(t, main, "commit", "-q", "-m", "x")
	lsptest.Git(t, main, "worktree", "add", "-q", linked)
	p.says(true)(TrustBelow(p.environ, work))
	below := standing{Given: true, By: work, Runs: true, Folder: true}
	p.stands("the checkout", main, below)
	p.stands("its worktree elsewhere", linked, below)
	p.says(true)(SetTrust(p.environ, work, ""))
	p.stands("no longer", linked, stranger)
}

// A record that an older version wrote is read, and kept when more is said.
func TestOlderRecordOfTrust(t *testing.T) {
	p := newPerson(t)
	root, other := lsptest.Workspace(t, "-- .lspine.jsonc --\n"+wanting("x")+"\n"), lsptest.Workspace(t, "-- a.x --\n")
	_, c := p.of(root)
	lsptest.WriteFile(t, TrustFile(p.environ), `{"roots": {"`+lsptest.InJSON(root)+`": {"hash": "`+c.Trust.Hash+`", "when": "2026-01-02T03:04:05Z"}}}`)
	p.stands("trusted by an older version", root, whole)
	p.says(true)(TrustBelow(p.environ, other))
	p.stands("when more was said", root, whole)
	r, err := readTrust(TrustFile(p.environ))
	if err != nil || len(r.Roots) != 2 || r.Roots[root].When.Year() != 2026 || r.Roots[root].When.Day() != 2 {
		t.Errorf("the record is %+v, %v", r, err)
	}
	p.says(true)(SetTrust(p.environ, root, ""))
	p.stands("no longer", root, stranger)
}
