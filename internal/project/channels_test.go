package project

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A toolchain file names its channel as TOML or as a bare word; other text names none.
func TestChannelsOfRust(t *testing.T) {
	for text, want := range map[string]string{
		"stable\n": "stable", "  nightly  ": "nightly", "": "", "two words": "", "a=b": "", "[x": "", "one\ntwo": "",
		"[toolchain]\nchannel = \"beta\"\n": "beta", "[toolchain]\n": "", "[other]\nchannel = \"beta\"\n": "",
	} {
		if got := channelOf(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	root := lsptest.Workspace(t, "-- home/.rustup/toolchains/1.75-x86/x --\n-- home/.rustup/toolchains/mine/x --\n")
	environ := []string{"HOME=" + filepath.Join(root, "home")}
	for channel, want := range map[string]bool{"1.75": true, "mine": true, "1.7": false, "min": false, "1.75-x86": true, "": false} {
		if got := hasRust(channel, environ); got != want {
			t.Errorf("%q is there: %t", channel, got)
		}
	}
	if !hasRust("any", []string{"HOME=" + filepath.Join(root, "gone")}) {
		t.Error("it is missed where nothing is known")
	}
}
