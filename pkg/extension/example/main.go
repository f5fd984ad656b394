// Command example is lspine with an extension for Go.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/lspine/lspine/pkg/extension"
	"github.com/lspine/lspine/pkg/program"
	"github.com/lspine/lspine/pkg/types"
)

func init() {
	extension.Register("go", func() extension.Extension {
		return extension.Extension{
			Tools: []extension.Tool{
				{
					Name: "exported", Title: "Exported names", Description: "What a Go file exports.",
					Input: json.RawMessage(`{"type":"object","properties":{"file":{"type":"string"}},"required":["file"]}`),
					Run:   exported,
				},
				// The built-in tool has this name too: this one goes first for Go files.
				{Name: "source", Title: "Read a declaration", Description: "As source, but for generated files.", Run: handWritten},
			},
			Resources:     []extension.Resource{{Name: "findings", Title: "Findings", Description: "How many findings there are.", Read: findings}},
			Subscriptions: []extension.Subscription{{Name: "findings", Watch: watchFindings}},
			Prompts: []extension.Prompt{{
				Name: "review", Description: "Review a Go file.", Arguments: []extension.Argument{{Name: "file", Required: true}},
				Text: func(_ context.Context, values map[string]string) (string, error) {
					if values["file"] == "" {
						return "", errors.New("name a file")
					}
					return "Review " + values["file"] + ": call go_exported first, and say which names lack documentation.", nil
				},
			}},
		}
	})
}

func main() { os.Exit(program.Main(os.Args)) }

// exported returns the exported names of a file, as reported by the language server.
func exported(ctx context.Context, call *extension.Call) (extension.Answer, error) {
	if call.File == "" {
		return extension.Answer{}, errors.New("file: it is missing")
	}
	var symbols types.Symbols
	if err := call.Caller.Call(ctx, "symbols", types.SymbolsRequest{File: call.File}, &symbols); err != nil {
		return extension.Answer{}, err
	}
	answer := struct {
		Names []string `json:"names"`
	}{Names: []string{}}
	for _, s := range symbols.Symbols {
		if unicode.IsUpper([]rune(s.Name)[0]) {
			answer.Names = append(answer.Names, s.Name)
		}
	}
	return extension.Answer{Text: strings.Join(answer.Names, "\n"), Data: answer}, nil
}

// handWritten says of a generated file that its declarations must not be changed there. It leaves
// other files to the built-in tool.
func handWritten(_ context.Context, call *extension.Call) (extension.Answer, error) {
	text, err := os.ReadFile(filepath.Join(call.Root, call.File))
	if err != nil || !bytes.HasPrefix(text, []byte("// Code generated")) {
		return extension.Answer{}, extension.ErrNext
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return extension.Answer{Text: call.File + " is generated, change what it is made from: " + strings.TrimPrefix(line, "// ")}, nil
}

// known returns the diagnostics known now, or, given an epoch, as soon as more is known than at
// that epoch.
func known(ctx context.Context, call *extension.Call, after uint64) (check types.Check, err error) {
	err = call.Caller.Call(ctx, "diagnostics", types.DiagnosticsRequest{AfterEpoch: after, TimeoutMS: 60_000}, &check)
	return check, err
}

func findings(ctx context.Context, call *extension.Call) (string, error) {
	check, err := known(ctx, call, 0)
	count := 0
	for _, f := range check.Files {
		count += len(f.Diagnostics)
	}
	return fmt.Sprintf("%d findings\n", count), err
}

func watchFindings(ctx context.Context, call *extension.Call, changed func()) error {
	for last := uint64(0); ; {
		check, err := known(ctx, call, max(last, 1))
		if ctx.Err() != nil || err != nil {
			return err
		}
		if check.Epoch != last && last != 0 {
			changed()
		}
		last = check.Epoch
	}
}
