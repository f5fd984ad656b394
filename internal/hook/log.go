package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/legible"
)

// logName is the name of the log in the folder of the memories.
const logName = "hook.log"

// maxLog limits the log, maxLine a line of it, in bytes. A longer log is started over.
const (
	maxLog  = 1 << 20
	maxLine = 2000
)

// log records for people, in one line, why nothing was reported or what is not known.
func (o *Options) log(err error) {
	if o.State == "" || os.MkdirAll(o.State, 0o700) != nil {
		return // nobody else can be told
	}
	name := filepath.Join(o.State, logName)
	if info, err := os.Stat(name); err == nil && info.Size() > maxLog {
		_ = os.Rename(name, name+".old")
	}
	f, opened := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if opened != nil {
		return
	}
	defer f.Close()
	line := legible.Line(strings.ReplaceAll(err.Error(), "\n", "; "))
	if len(line) > maxLine {
		line = strings.ToValidUTF8(line[:maxLine], "") + "…"
	}
	fmt.Fprintf(f, "%s %s\n", time.Now().Format(time.RFC3339), line)
}
