package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A Shell is the syntax of the commands that we suggest: that of a POSIX shell or, on Windows, of
// PowerShell. Where one line works in both, it works in cmd.exe too.
type Shell struct{ windows bool }

// ShellOf returns the shell of an operating system.
func ShellOf(system fspath.Style) Shell { return Shell{windows: system.Drives} }

// Here is the shell of the operating system that this process runs on.
var Here = ShellOf(fspath.Here)

var (
	plainWord        = lazyregexp.New(`^[A-Za-z0-9_@%+=:,./~-]+$`)
	plainWindowsWord = lazyregexp.New(`^[A-Za-z0-9_+:./\\-][A-Za-z0-9_+:./\\~=-]*$`)
)

// Quoted returns a word in the syntax of this system's shell, quoted if necessary.
func Quoted(word string) string { return Here.Quoted(word) }

// Quoted returns a word in the syntax of the shell, quoted if necessary.
func (s Shell) Quoted(word string) string {
	switch {
	case !s.windows && plainWord.MatchString(word), s.windows && plainWindowsWord.MatchString(word):
		return word
	case !s.windows:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	case !strings.ContainsAny(word, "\"$`%"):
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", "''") + "'"
}

// Program returns the path of a program as written at the beginning of a command.
func (s Shell) Program(path string) string {
	quoted := s.Quoted(path)
	if s.windows && quoted != path {
		return "& " + quoted
	}
	return quoted
}

// Then returns a command that runs first, then next. In PowerShell, next runs even if first fails.
func (s Shell) Then(first, next string) string {
	if s.windows { // PowerShell 5 has no &&
		return first + "; " + next
	}
	return first + " && " + next
}

// inPowerShell turns the commands of [language.Way] into those of Windows. There, Python's launcher
// is py, and > writes UTF-16.
var inPowerShell = strings.NewReplacer(
	" && ", "; ", "python3 ", "py ", ".venv/bin/", `.venv\Scripts\`, "./", `.\`,
	"echo -Iinclude > compile_flags.txt", "Set-Content compile_flags.txt '-Iinclude'",
)

// Command returns a command of a [language.Way] in the syntax of the shell.
func (s Shell) Command(command string) string {
	if s.windows {
		return inPowerShell.Replace(command)
	}
	return command
}

// Edit returns the command that opens a file in an editor at a 1-based line; line 0 means none.
func (s Shell) Edit(file string, line int) string {
	switch {
	case s.windows:
		return "notepad " + s.Quoted(file)
	case line > 0:
		return fmt.Sprintf("${EDITOR:-vi} +%d %s", line, s.Quoted(file))
	}
	return "${EDITOR:-vi} " + s.Quoted(file)
}

// Unset returns the command that removes a variable from the environment.
func (s Shell) Unset(variable string) string {
	if s.windows {
		return "Remove-Item Env:" + variable
	}
	return "unset " + variable
}

// Touch returns the command that creates an empty file.
func (s Shell) Touch(file string) string {
	if s.windows {
		return "New-Item " + s.Quoted(file)
	}
	return "touch " + s.Quoted(file)
}

// MakeFolder returns the command that creates a folder and its parents.
func (s Shell) MakeFolder(folder string) string {
	if s.windows {
		return "mkdir " + s.Quoted(folder)
	}
	return "mkdir -p " + s.Quoted(folder)
}

// Temporary returns the path of a file in the folder for temporary files.
func (s Shell) Temporary(name string) string {
	if s.windows {
		return filepath.Join(os.TempDir(), name)
	}
	return "/tmp/" + name
}
