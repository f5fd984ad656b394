package symbols

import (
	"path"
	"strings"
)

// IsTest reports whether a slash-separated path is that of a test by the naming
// rules of the languages: x_test.go, test_x.py, x.test.ts, XTest.java, and
// whatever stands in a folder of tests.
func IsTest(file string) bool {
	base := path.Base(file)
	ending := path.Ext(base)
	stem := strings.TrimSuffix(base, ending)
	for _, suffix := range []string{"_test", ".test", ".spec", "-test", "_spec", "_unittest"} {
		if strings.HasSuffix(stem, suffix) {
			return true
		}
	}
	switch ending {
	case ".py":
		if strings.HasPrefix(stem, "test_") || stem == "conftest" {
			return true
		}
	case ".java", ".kt", ".cs", ".scala", ".php", ".swift":
		if strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasPrefix(stem, "Test") {
			return true
		}
	case ".go":
		return false // the compiler knows no other rule
	}
	for folder := range strings.SplitSeq(path.Dir(file), "/") {
		switch folder {
		case "test", "tests", "__tests__", "spec", "testing":
			return true
		}
	}
	return false
}
