package mcpserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// known answers every question with the same places.
type known struct {
	api.Caller
	places result.Places
}

func (k *known) Call(_ context.Context, _ string, _, reply any) error {
	places, ok := reply.(*result.Places)
	if !ok {
		return errors.ErrUnsupported // events
	}
	*places = k.places
	return nil
}

func (k *known) Engine(context.Context, string) (api.Caller, error) { return k, nil }

func hundredUses(root string) result.Places {
	p := result.Places{Symbol: "Load", What: "reference", Total: 146, FileCount: 44}
	for f := range 44 {
		file := result.PlaceFile{Path: fmt.Sprintf("go/analysis/passes/number%d/testdata/main_test.go", f)}
		for i := range 3 + f%2 {
			file.Places = append(file.Places, result.Place{Line: uint32(100 + 7*i), Column: 21, Text: strings.Repeat("pkgs, err := ", 6)})
		}
		file.Count = len(file.Places)
		p.Files = append(p.Files, file)
	}
	return p
}

// What a big answer costs on its way through MCP, from the words of the call to the line of its result.
func BenchmarkAnswer(b *testing.B) {
	root := b.TempDir()
	server, err := New(Options{Engines: &known{places: hundredUses(root)}, Root: root, Dir: root})
	if err != nil {
		b.Fatal(err)
	}
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- server.Serve(b.Context(), ours, ours) }()
	defer func() {
		_ = theirs.Close()
		<-served
		server.Close()
	}()
	lines := bufio.NewReaderSize(theirs, 1<<20)
	call := func(id int, method, params string) int {
		if _, err := fmt.Fprintf(theirs, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params); err != nil {
			b.Fatal(err)
		}
		line, err := lines.ReadSlice('\n')
		if err != nil {
			b.Fatal(err)
		}
		return len(line)
	}
	call(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"b","version":"1"}}`)
	fmt.Fprintln(theirs, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		b.SetBytes(int64(call(1+n, "tools/call", `{"name":"references","arguments":{"at":"a.go:1:1"}}`)))
	}
}
