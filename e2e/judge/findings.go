package judge

import (
	"maps"
	"strings"
)

// Findings are the messages of errors by file, relative and with slashes, as often
// as they occur. Lines are left out: an error that merely moved is the same.
type Findings map[string]map[string]int

// What an error is that a compiler finds in a file that is taken in, and one that
// ends the search.
const included, fatal = "in an included file: ", "the last: "

// Add counts one error more.
func (f Findings) Add(file, message string) {
	if f[file] == nil {
		f[file] = make(map[string]int)
	}
	f[file][message]++
}

// Beyond counts, by file, what f has and the other has not, without what is wrong in
// included files.
func (f Findings) Beyond(other Findings) map[string]int {
	counts := make(map[string]int)
	for file, messages := range f {
		if other.Ended(file) {
			continue // what comes after its end was not looked for
		}
		for message, n := range messages {
			if more := n - other[file][message]; more > 0 && !strings.HasPrefix(message, included) {
				counts[file] += more
			}
		}
	}
	return counts
}

// Ended reports whether the compiler gave up in a file.
func (f Findings) Ended(file string) bool {
	for message := range f[file] {
		if strings.HasPrefix(message, fatal) {
			return true
		}
	}
	return false
}

// Concerns reports whether what is wrong in a file, or in what it includes, is not the
// same in the other.
func (f Findings) Concerns(file string, other Findings) bool {
	return !maps.Equal(f[file], other[file])
}

// Count is the number of errors in a file, without those in included ones.
func (f Findings) Count(file string) (n int) {
	for message, times := range f[file] {
		if !strings.HasPrefix(message, included) {
			n += times
		}
	}
	return n
}
