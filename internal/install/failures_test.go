package install

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each failure says what was not done and what to do about it; what a package manager said stands
// below.
func TestWordsOfFailures(t *testing.T) {
	type words struct{ Message, Hint string }
	for name, c := range map[string]struct {
		err  error
		want words
	}{
		"no such server":       {&UnknownError{ID: "toy"}, words{"toy is no server that lspine can install here", "lspine servers says how to get each one"}},
		"not installed":        {&UnknownError{ID: "toy", Installed: true}, words{"toy was not installed by lspine", "lspine install --list says what is"}},
		"no package manager":   {&NeedsError{ID: "toy", Program: "get", hint: "fetch get"}, words{"toy is installed by get, which is not on PATH", "fetch get"}},
		"another checksum":     {&ChecksumError{ID: "toy", Said: "EINTEGRITY"}, words{"toy: a package has another checksum than this version of lspine knows; nothing was installed\nEINTEGRITY", "somebody changed the package on its way; another registry or proxy, or an emptied cache of the package manager, may have the right one"}},
		"it failed":            {&FailedError{ID: "toy", Reason: "get: exit status 1", Said: "no space"}, words{"toy could not be installed: get: exit status 1\nno space", ""}},
		"it failed in silence": {&FailedError{ID: "toy", Reason: "get: exit status 1"}, words{"toy could not be installed: get: exit status 1", ""}},
		"it runs":              {&InUseError{ID: "toy", Folder: "servers/toy"}, words{"toy runs, and was not removed: servers/toy", "lspine daemon stop --all ends the servers that run; then again"}},
	} {
		got := words{Message: c.err.Error()}
		if hinted, ok := c.err.(interface{ Hint() string }); ok {
			got.Hint = hinted.Hint()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
