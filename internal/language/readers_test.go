package language

import "testing"

// What a tool for some languages may read of a file decides what of it can matter to what the tool says.
func TestReadingOf(t *testing.T) {
	const nothing, presence, content = ReadsNothing, ReadsPresence, ReadsContent
	tests := []struct {
		endings []string
		file    string
		reads   Reading
	}{
		{[]string{".ts", ".tsx", ".js"}, "a.py", nothing},
		{[]string{".ts", ".tsx", ".js"}, "web/a.css", nothing},
		{[]string{".ts", ".tsx", ".js"}, "a.vue", content},
		{[]string{".ts", ".tsx", ".js"}, "a.json", content}, // imported
		{[]string{".ts", ".html"}, "a.html", content},
		{[]string{".vue"}, "a.css", content},
		{[]string{".py", ".pyi"}, "a.ts", nothing},
		{[]string{".py", ".pyi"}, "pyproject.toml", content},
		{[]string{".go", ".mod"}, "a.py", presence}, // embedded
		{[]string{".go", ".mod"}, "a.h", content},   // cgo
		{[]string{".rs"}, "src/a.ts", presence},
		{[]string{".rs"}, "js/a.js", content},
		{[]string{".rs"}, "a.c", content},
		{[]string{".java"}, "a.kt", content},
		{[]string{".java"}, "a.go", nothing},
		{[]string{".c", ".h"}, "a.cu", content},
		{[]string{".c", ".h"}, "a.go", nothing},
		{[]string{".c", ".h"}, "a.lua", content}, // #include
		{[]string{".c", ".h"}, "a.py", content},
		{[]string{".rs"}, "a.md", content}, // include!
		{[]string{".ts"}, "a.lua", nothing},
		{[]string{".css"}, "a.tsx", content},
		{[]string{".css"}, "a.py", nothing},
		{[]string{".yaml"}, "a.py", content}, // nobody knows
		{[]string{".go"}, "data.txt", content},
		{nil, "a.py", content},
	}
	for _, test := range tests {
		if got := ReadingOf(test.endings, test.file, nil); got != test.reads {
			t.Errorf("a tool for %v reads of %s: %v, not %v", test.endings, test.file, got, test.reads)
		}
	}
}

// What only some projects or tools read matters to nothing where they do not.
func TestReadingByCrossings(t *testing.T) {
	for _, test := range []struct {
		endings []string
		file    string
		has     Crossing
		with    Reading
		without Reading
	}{
		{[]string{".go"}, "a.h", Cgo, ReadsContent, ReadsNothing},
		{[]string{".go"}, "a.css", GoEmbedding, ReadsPresence, ReadsNothing},
		{[]string{".go"}, "a.css", Cgo, ReadsNothing, ReadsNothing},
		{[]string{".go"}, "b.go", 0, ReadsContent, ReadsContent},
		{[]string{".rs"}, "a.c", BuildScripts, ReadsContent, ReadsPresence},
		{[]string{".rs"}, "a.js", BuildScripts, ReadsContent, ReadsPresence},
		{[]string{".ts", ".js"}, "a.html", Frameworks, ReadsContent, ReadsNothing},
		{[]string{".ts", ".html"}, "a.html", 0, ReadsContent, ReadsContent},
		{[]string{".css"}, "a.ts", Frameworks, ReadsContent, ReadsNothing},
		{[]string{".vue"}, "a.css", 0, ReadsContent, ReadsContent},
	} {
		with := ReadingOf(test.endings, test.file, func(c Crossing) bool { return c == test.has })
		without := ReadingOf(test.endings, test.file, func(Crossing) bool { return false })
		if with != test.with || without != test.without {
			t.Errorf("a tool for %v reads of %s: %v with crossing %v, %v without any", test.endings, test.file, with, test.has, without)
		}
	}
}
