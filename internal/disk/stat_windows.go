package disk

import (
	"os"
	"path/filepath"
)

// stampAll stats files of one folder. It calls visit for those that exist.
func stampAll(dir string, names func(yield func(string) bool), visit func(name string, s Stamp)) {
	names(func(name string) bool {
		if info, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			visit(name, StampOf(info))
		}
		return true
	})
}
