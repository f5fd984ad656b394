package judge

import (
	"maps"
	"strings"
)

// Findings are the messages of errors by file, relative and with slashes, as often
// as they occur. Lines are left out: an error that merely moved is the same.
type Findings map[string]map[string]int

// What an error is that a compiler finds in a file that is taken in, and one that
// ends the search: what else is wrong in the file was not looked for, or is not to be
// compared.
const included, fatal = "in an included file: ", "the last: "

// What is only a sign that the compiler has no word on the file: it is in no package
// that it looks at, or the package cannot be loaded.
const unclear = "unclear: "

// Everywhere is, instead of a file, where a search ended that would have gone on in
// other files.
const Everywhere = "*"

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
	beyond := make(map[string]int)
	for file, messages := range f {
		if other.Ended(file) || file == Everywhere {
			continue // what comes after its end was not looked for
		}
		for message, n := range messages {
			if more := n - other[file][message]; more > 0 && counts(message) {
				beyond[file] += more
			}
		}
	}
	return beyond
}

func counts(message string) bool {
	return !strings.HasPrefix(message, included) && !strings.HasPrefix(message, unclear)
}

// Ended reports whether the compiler gave up in a file, or before it got there.
func (f Findings) Ended(file string) bool {
	if len(f[Everywhere]) > 0 {
		return true
	}
	for message := range f[file] {
		if strings.HasPrefix(message, fatal) || strings.HasPrefix(message, unclear) {
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

// Includes reports whether something is wrong in what a file takes in.
func (f Findings) Includes(file string) bool {
	for message := range f[file] {
		if strings.HasPrefix(message, included) {
			return true
		}
	}
	return false
}

// Count is the number of errors in a file, without those in included ones.
func (f Findings) Count(file string) (n int) {
	for message, times := range f[file] {
		if counts(message) {
			n += times
		}
	}
	return n
}
