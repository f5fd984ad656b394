package evidence

import (
	"path/filepath"
	"testing"
)

// What it costs who records: it does not wait for the disk.
func BenchmarkRecord(b *testing.B) {
	l := Open(Options{Path: filepath.Join(b.TempDir(), "evidence.jsonl")})
	defer l.Close(b.Context())
	e := &ToolCall{Operation: "definition", Files: []string{"main.go"}, Success: true}
	for b.Loop() {
		l.Record(Origin{Client: "cli"}, e)
	}
}
