package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What hooks remember lies in the folder for caches: of the hook's environment if that names
// an absolute one, else of the process; without any there is nowhere to remember it.
func TestWhereHooksRemember(t *testing.T) {
	home := t.TempDir()
	asked := filepath.Join(home, "asked")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", home)
	t.Setenv("LocalAppData", home)
	caches, err := os.UserCacheDir()
	if err != nil || !strings.HasPrefix(caches, home) {
		t.Fatal(caches, err)
	}
	here := filepath.Join(caches, "lspine", "hooks")
	for environment, want := range map[string]string{
		"XDG_CACHE_HOME=" + asked: filepath.Join(asked, "lspine", "hooks"),
		"XDG_CACHE_HOME=relative": here,
		"OTHER=" + asked:          here,
	} {
		if got := hookState(&Streams{Environ: []string{environment}}); got != want {
			t.Errorf("%s: %s, want %s", environment, got, want)
		}
	}
	t.Setenv("HOME", "")
	t.Setenv("LocalAppData", "")
	if got := hookState(&Streams{}); got != "" {
		t.Errorf("without a home: %s", got)
	}
}
