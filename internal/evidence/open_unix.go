//go:build unix

package evidence

import "os"

// openFile opens a file for reading and appending, for the user alone; flag says how it is made.
func openFile(path string, flag int) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_APPEND|flag, 0o600)
}
