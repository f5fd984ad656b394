package language

import "testing"

// Whether a tool for some languages may read a file decides whether what it says can depend on its text.
func TestNeverReads(t *testing.T) {
	tests := []struct {
		endings []string
		file    string
		never   bool
	}{
		{[]string{".ts", ".tsx", ".js"}, "a.py", true},
		{[]string{".ts", ".tsx", ".js"}, "web/a.css", true},
		{[]string{".ts", ".tsx", ".js"}, "a.vue", false},
		{[]string{".ts", ".tsx", ".js"}, "a.json", false}, // imported
		{[]string{".ts", ".html"}, "a.html", false},
		{[]string{".vue"}, "a.css", false},
		{[]string{".py", ".pyi"}, "a.ts", true},
		{[]string{".py", ".pyi"}, "pyproject.toml", false},
		{[]string{".go", ".mod"}, "a.py", true},
		{[]string{".go", ".mod"}, "a.h", false}, // cgo
		{[]string{".rs"}, "src/a.ts", true},
		{[]string{".rs"}, "js/a.js", false},
		{[]string{".rs"}, "a.c", false},
		{[]string{".java"}, "a.kt", false},
		{[]string{".java"}, "a.go", true},
		{[]string{".c", ".h"}, "a.cu", false},
		{[]string{".c", ".h"}, "a.go", true},
		{[]string{".css"}, "a.tsx", false},
		{[]string{".css"}, "a.py", true},
		{[]string{".yaml"}, "a.py", false}, // nobody knows
		{[]string{".go"}, "data.txt", false},
		{nil, "a.py", false},
	}
	for _, test := range tests {
		if got := NeverReads(test.endings, test.file); got != test.never {
			t.Errorf("a tool for %v never reads %s: %v", test.endings, test.file, got)
		}
	}
}
