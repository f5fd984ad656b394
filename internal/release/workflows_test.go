package release

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unpinned returns the actions in a workflow that are not named by the hash of a commit, with the version that it is in a comment.
func unpinned(workflow string) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^[\s-]*uses:\s*(.*)$`).FindAllStringSubmatch(workflow, -1) {
		use := strings.TrimSpace(m[1])
		if !regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`).MatchString(use) {
			names = append(names, use)
		}
	}
	return names
}

// What workflows use of others is a commit that does not change, not a tag that somebody may move; and each workflow says what its
// token may do.
func TestActionsArePinned(t *testing.T) {
	const hash = "08c6903cd8c0fde910a37f88322edcfb5dd907a8"
	for use, pinned := range map[string]bool{
		"- uses: a/b@" + hash + " # v5.0.0": true, "  uses: a/b/c@" + hash + " # v5.0.0": true, "- uses: a/b@" + hash: false, "- uses: a/b@v5": false,
		"- uses: a/b@" + hash[1:] + " # v5.0.0": false, "- uses: a/b@main # v5.0.0": false, "- uses: ./here": false, "- run: make": true,
	} {
		if (unpinned("    steps:\n      "+use+"\n") == nil) != pinned {
			t.Errorf("%q is pinned: %t", use, !pinned)
		}
	}
	files, err := filepath.Glob("../../.github/workflows/*.y*ml")
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		workflow := strings.ReplaceAll(string(text), "\r\n", "\n")
		if diff := cmp.Diff([]string(nil), unpinned(workflow)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
		if !regexp.MustCompile(`(?m)^permissions:`).MatchString(workflow) || strings.Contains(workflow, "pull_request_target") {
			t.Errorf("%s does not say what its token may do, or gives it to whoever asks for a change", file)
		}
	}
}

// A release is signed as the program expects it, lists what it is made of, is built with provenance, and is published last.
func TestReleasesAreMadeAsTheyAreChecked(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	for file, parts := range map[string][]string{
		".goreleaser.yaml": {
			"\nsboms:\n", "\nchecksum:\n  name_template: " + checksumsFile + "\n  algorithm: sha256\n", "\nsigns:\n", "artifacts: checksum\n",
			`signature: "${artifact}.minisig"`, `"-t", "` + signedAs("v{{ .Version }}") + `"`, "draft: true\n",
		},
		".github/workflows/release.yml": {
			"make release\n", "uses: actions/attest-build-provenance@", "subject-checksums: bin/dist/" + checksumsFile + "\n", "npm publish --provenance", "--draft=false",
		},
		".github/workflows/test.yml": {"govulncheck@"},
		".github/dependabot.yml":     {"package-ecosystem: gomod", "package-ecosystem: npm", "package-ecosystem: github-actions"},
		"Makefile":                   {"minisign -V -p internal/release/minisign.pub -m bin/dist/" + checksumsFile + " -x bin/dist/" + signatureFile},
	} {
		rest := read(file)
		for _, part := range parts { // in this order
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s lacks %q, or has it too early", file, part)
				continue
			}
			rest = after
		}
	}
}
