package disk

import (
	"fmt"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// local are the file systems that only this machine changes, so that inotify
// hears of every change.
var local = []uint32{
	unix.EXT4_SUPER_MAGIC, // ext2 and ext3, too
	unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
	0x2fc12fc1, // zfs
}

// distrust says why inotify may miss changes below root, or "".
func distrust(root string) string {
	var st unix.Statfs_t
	if err := unix.Statfs(root, &st); err != nil {
		return err.Error()
	}
	if magic := uint32(st.Type); !slices.Contains(local, magic) {
		return fmt.Sprintf("the file system (type %#x) does not tell of every change", magic)
	}
	return ""
}

// device tells file systems apart.
func device(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Dev)
	}
	return 0
}
