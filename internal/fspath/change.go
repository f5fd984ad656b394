package fspath

import (
	"io/fs"
	"time"
)

// Change returns a number that tells states of a file apart whose sizes and times of modification are equal: tar, cp -p and
// touch -r set the time back. On unix it is made of the file's number and of the time at which the system last changed it or
// what is known about it, which no program sets. On Windows it is the time of its creation.
func Change(info fs.FileInfo) uint64 { return change(info) }

// ChangeOf returns what [Change] does for a file with this number, and this time of change.
func ChangeOf(inode uint64, seconds, nanoseconds int64) uint64 {
	const odd = 0x9E3779B97F4A7C15 // so that neighbouring numbers and times do not meet
	return inode*odd ^ uint64(seconds*1_000_000_000+nanoseconds)
}

// Links returns how many names a file has, as far as the system says it, else 1.
func Links(info fs.FileInfo) uint64 { return links(info) }

// Touched returns the last time at which a file changed, or what is known about it, as far as the system knows: no program sets the time
// of change back. On Windows, and where the system does not say it, that is the time of its modification, which programs do set.
func Touched(info fs.FileInfo) time.Time {
	modified := info.ModTime()
	if changed := changed(info); changed.After(modified) {
		return changed
	}
	return modified
}
