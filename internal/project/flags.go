package project

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// plainFlags are beginnings of flags that only say how a compiler reads a text. Each is one of -X, which may go on with its value.
var plainFlags = []string{
	"-I", "-D", "-U", "-W", "-O", "-g", "-isystem", "-iquote", "-idirafter", "-std=", "--std=", "-isysroot", "--sysroot", "-nostd", "-pedantic", "-ansi", "-pthread", "-pipe",
	"-target", "--target", "-arch", "-march", "-mcpu", "-mtune", "-mfpu", "-mfloat", "-msse", "-mavx", "-mabi", "-mthumb", "-mno-", "-m32", "-m64", "-mmacosx-version-min", "-mcmodel",
	"-w", "-c", "-o", "-x", "-include", "-imacros", "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-", "-fexceptions", "-frtti", "-fvisibility", "-fstack-protector",
	"-fsanitize=", "-fcolor-diagnostics", "-fdiagnostics-color", "-fopenmp", "-fshort", "-fsigned", "-funsigned", "-fstrict", "-fwrapv", "-fcoroutines", "-fms-", "-ffast-math",
	"-ffunction-sections", "-fdata-sections", "-fomit-frame-pointer", "-fchar8_t", "-fblocks", "-fobjc", "-fcommon", "-fconcepts", "-ftemplate", "-fconstexpr",
}

// HarmlessFlags reports whether all flags of compilers in a file only say how to read texts, as far as is known: none names a
// file to write, or a library to load. The file is compile_commands.json, or has one flag in a line.
func HarmlessFlags(path string) bool {
	text, err := fspath.Read(path)
	if err != nil {
		return false
	}
	if filepath.Ext(path) != ".json" {
		return areHarmless(strings.Fields(string(text)))
	}
	var commands []struct {
		Command   string
		Arguments []string
	}
	if json.Unmarshal(text, &commands) != nil {
		return false
	}
	for _, c := range commands {
		all := slices.Concat(words(c.Command), c.Arguments)
		if len(all) > 0 && !areHarmless(all[1:]) { // the first is the compiler
			return false
		}
	}
	return true
}

// words divides a command as a shell would, more often rather than less.
func words(command string) []string {
	return strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'\\", r) })
}

// areHarmless reports whether each word is a flag that is known, or no flag: the name of a file, or the value of the flag before it.
func areHarmless(flags []string) bool {
	return !slices.ContainsFunc(flags, func(flag string) bool {
		if strings.HasPrefix(flag, "-Wp,") || strings.HasPrefix(flag, "-Wl,") || strings.HasPrefix(flag, "-Wa,") || strings.HasPrefix(flag, "@") {
			return true
		}
		if flag == "--" || !strings.HasPrefix(flag, "-") {
			return false
		}
		return !slices.ContainsFunc(plainFlags, func(plain string) bool { return strings.HasPrefix(flag, plain) })
	})
}
