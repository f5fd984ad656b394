package symbols

import "github.com/lspine/lspine/internal/language"

// IsTest reports whether a slash-separated path is that of a test, by the naming rules of the
// languages: x_test.go, test_x.py, x.test.ts, XTest.java, and everything in a folder of tests.
func IsTest(file string) bool { return language.IsTest(file) }
