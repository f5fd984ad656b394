package project

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// shimmed matches what the shims of npm, pnpm and yarn for cmd.exe run: a path from their own folder,
// given all arguments.
var shimmed = lazyregexp.New(`"%(?:~dp0|dp0%)\\?([^"%]+)"[ \t]+%\*`)

// maxShim is more than any of them has.
const maxShim = 8 << 10

// Program returns the file that a program is, where its package is: links are resolved and, since
// Windows has none there, what npm writes in the place of a link is read.
func Program(path string) (string, error) {
	resolved, err := fspath.Real(path)
	if err != nil || !strings.EqualFold(filepath.Ext(resolved), ".cmd") {
		return resolved, err
	}
	f, err := os.Open(resolved)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxShim))
	if err != nil {
		return "", err
	}
	matches := shimmed.FindAllSubmatch(text, -1)
	if len(matches) == 0 { // a script like any other
		return resolved, nil
	}
	at := strings.ReplaceAll(string(matches[len(matches)-1][1]), `\`, "/")
	program, err := fspath.Real(filepath.Join(filepath.Dir(resolved), filepath.FromSlash(at)))
	if err != nil { // its package is gone
		return resolved, nil
	}
	return program, nil
}
