package edit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"github.com/lspine/lspine/internal/lsptest"
)

// A file that somebody reads, and lets nobody replace meanwhile, is written as soon as he is done; one
// that he keeps is left as it was, and so are all others of the edit.
func TestReadersAreWaitedFor(t *testing.T) {
	for name, held := range map[string]time.Duration{"for a moment": 400 * time.Millisecond, "for long": time.Hour} {
		root := put(t, map[string]string{"a": "a\n", "b": "b\n"})
		p := planIn(t, root)
		if err := p.Write("a", "A\n"); err != nil {
			t.Fatal(err)
		}
		if err := p.Write("b", "B\n"); err != nil {
			t.Fatal(err)
		}
		path, err := windows.UTF16PtrFromString(filepath.Join(root, "b"))
		if err != nil {
			t.Fatal(err)
		}
		reader, err := windows.CreateFile(path, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		done := time.AfterFunc(held, func() { _ = windows.CloseHandle(reader) })
		err = Commit(t.Context(), p, t.TempDir())
		if done.Stop() {
			_ = windows.CloseHandle(reader)
		}
		want := "A\nB\n"
		if held > busyFor {
			want = "a\nb\n"
		}
		a, err1 := os.ReadFile(filepath.Join(root, "a"))
		b, err2 := os.ReadFile(filepath.Join(root, "b"))
		if (err == nil) != (want == "A\nB\n") || err1 != nil || err2 != nil || string(a)+string(b) != want {
			t.Errorf("%s: %v; %q, %v, %q, %v", name, err, a, err1, b, err2)
		}
	}
}

// A file that is replaced keeps an access list of its own.
func TestAccessListsAreKept(t *testing.T) {
	root := put(t, map[string]string{"a": "a\n"})
	path := filepath.Join(root, "a")
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		t.Fatal(err)
	}
	own, err := windows.SecurityDescriptorFromString("D:P(A;;FA;;;" + user.User.Sid.String() + ")")
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := own.DACL()
	if err == nil {
		err = windows.SetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION|windows.PROTECTED_DACL_SECURITY_INFORMATION, nil, nil, list, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	access := func() string {
		security, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
		if err != nil {
			t.Fatal(err)
		}
		return security.String()
	}
	before := access()
	if !strings.HasPrefix(before, "D:P") {
		lsptest.Skip(t, "files keep no access lists here")
	}
	p := planIn(t, root)
	if err := p.Write("a", "A\n"); err != nil {
		t.Fatal(err)
	}
	if err := Commit(t.Context(), p, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if after := access(); after != before || !strings.Contains(after, user.User.Sid.String()) || strings.Contains(after, "WD") {
		t.Errorf("the list was %s, and is %s", before, after)
	}
}
