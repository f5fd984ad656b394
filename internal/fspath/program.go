package fspath

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// shimmed matches the command in the shims that npm, pnpm and yarn write for cmd.exe: a path
// relative to the shim's folder, followed by all arguments.
var shimmed = lazyregexp.New(`"%(?:~dp0|dp0%)\\?([^"%]+)"[ \t]+%\*`)

// maxShim is larger than any of these shims.
const maxShim = 8 << 10

// Program returns the file of a program inside its own package. It resolves symbolic links; on
// Windows, it follows the shims that npm creates instead of links.
func Program(path string) (string, error) {
	resolved, err := Real(path)
	if err != nil || !strings.EqualFold(filepath.Ext(resolved), ".cmd") {
		return resolved, err
	}
	f, err := Open(resolved)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxShim))
	if err != nil {
		return "", err
	}
	matches := shimmed.FindAllSubmatch(text, -1)
	if len(matches) == 0 { // an ordinary script
		return resolved, nil
	}
	at := strings.ReplaceAll(string(matches[len(matches)-1][1]), `\`, "/")
	program, err := Real(filepath.Join(filepath.Dir(resolved), filepath.FromSlash(at)))
	if err != nil { // its package was removed
		return resolved, nil
	}
	return program, nil
}
