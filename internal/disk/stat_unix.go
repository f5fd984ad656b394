//go:build unix

package disk

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/lspine/lspine/internal/fspath"
)

// stampAll stats files of one folder by their names: a third of the cost of
// doing so by their paths. It calls visit for those that exist.
func stampAll(dir string, names func(yield func(string) bool), visit func(name string, s Stamp)) {
	// Not os.Open: what it does for a file that may block costs more than all
	// the rest.
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer func() { _ = unix.Close(fd) }()
	names(func(name string) bool {
		var st unix.Stat_t
		if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
			visit(name, Stamp{time.Unix(st.Mtim.Unix()), st.Size, fspath.ChangeOf(uint64(st.Ino), int64(st.Ctim.Sec), int64(st.Ctim.Nsec))})
		}
		return true
	})
}
