package daemon

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"golang.org/x/mod/semver"
)

// build returns the name of a build. For a release it is the version. For any other build, the size
// and modification time of the program's file are added, because developers have many builds of one
// version.
func build(version string) string {
	if _, released := release(version); released || strings.Contains(version, "@") {
		return version
	}
	return version + "@" + ourFile()
}

var ourFile = sync.OnceValue(func() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(self)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x-%x", info.Size(), info.ModTime().UnixNano())
})

// release returns a version in the form that package semver compares, false if it is not a release.
func release(version string) (string, bool) {
	v := "v" + strings.TrimPrefix(version, "v")
	return v, semver.IsValid(v) && strings.Count(v, ".") >= 2
}

// isNewer reports whether build one is a newer release than build other.
func isNewer(one, other string) bool {
	a, released := release(one)
	b, too := release(other)
	return released && too && semver.Compare(a, b) > 0
}
