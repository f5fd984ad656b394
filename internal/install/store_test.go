package install

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Servers are installed where the system keeps data of a person, or where that person wants it; a
// relative folder would be another one in each project, and is not followed.
func TestFolderOfAPerson(t *testing.T) {
	home, data := lsptest.Rooted("/home/you"), lsptest.Rooted("/data")
	usual := filepath.Join(home, ".local", "share")
	switch runtime.GOOS {
	case "windows":
		usual = filepath.Join(home, "AppData", "Local")
	case "darwin":
		usual = filepath.Join(home, "Library", "Application Support")
	}
	for _, c := range []struct {
		environ []string
		want    string
	}{
		{nil, ""},
		{[]string{"HOME=home", "XDG_DATA_HOME=data"}, ""},
		{[]string{"HOME=" + home}, filepath.Join(usual, "lspine", "servers")},
		{[]string{"USERPROFILE=" + home, "XDG_DATA_HOME=data"}, filepath.Join(usual, "lspine", "servers")},
		{[]string{"HOME=" + home, "XDG_DATA_HOME=" + data}, filepath.Join(data, "lspine", "servers")},
		{[]string{"XDG_DATA_HOME=" + data}, filepath.Join(data, "lspine", "servers")},
	} {
		if diff := cmp.Diff(c.want, Folder(c.environ)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.environ, diff)
		}
	}
}
