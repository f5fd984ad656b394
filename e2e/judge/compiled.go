package judge

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Command is an entry of a compilation database.
type Command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
}

// torn is a text with a brace too many or too few: two compilers do not go on in the same way
// behind it.
var torn = regexp.MustCompile(`at end of input$|^expected [\w-]+ before '}' token$`)

var cppLine = regexp.MustCompile(`(?m)^(\S+?):\d+:(?:\d+:)? (fatal error|error): (.*)$`)

// cppTruth compiles each source file as the compilation database says, and each header
// for itself, as the first source file is compiled.
func cppTruth(t testing.TB, root, compiler string) Findings {
	text, err := os.ReadFile(filepath.Join(root, "compile_commands.json"))
	var commands []Command
	if err != nil || json.Unmarshal(text, &commands) != nil || len(commands) == 0 {
		t.Fatalf("no compilation database: %v", err)
	}
	flags := make(map[string][]string)
	for _, c := range commands {
		var kept []string
		for _, a := range c.Arguments[1:] {
			if a != "-c" && a != c.File {
				kept = append(kept, a)
			}
		}
		flags[c.File] = kept
	}
	found := make(Findings)
	var mu sync.Mutex
	var units sync.WaitGroup
	slots := make(chan struct{}, 2)
	for _, name := range Files(t, root, ".cc", ".cpp", ".h", ".hpp") {
		args, ok := flags[filepath.Join(root, name)]
		if !ok {
			args, ok = flags[name]
		}
		if !ok {
			args = flags[commands[0].File]
		}
		units.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			out := run(t, root, compiler, append(slices.Clone(args), "-fsyntax-only", "-fmax-errors=0", "-Werror=main", "-x", "c++", name)...)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range cppLine.FindAllStringSubmatch(string(out), -1) {
				message := m[3]
				if m[2] != "error" || torn.MatchString(message) {
					message = fatal + message
				} else if m[1] != name {
					message = included + message
				}
				found.Add(name, message)
			}
		})
	}
	units.Wait()
	return found
}

// A rustSpan is a place that cargo names. What a macro wrote has the place where it was asked to.
type rustSpan struct {
	FileName  string `json:"file_name"`
	LineStart int    `json:"line_start"`
	Primary   bool   `json:"is_primary"`
	Expansion *struct{ Span rustSpan }
}

// own returns the place in a file below a folder that a place in a macro of others stands for.
func (s rustSpan) own(dir string) rustSpan {
	if !filepath.IsAbs(s.FileName) {
		s.FileName = filepath.Join(dir, s.FileName)
	}
	if name, err := filepath.Rel(dir, s.FileName); s.Expansion != nil && (err != nil || !filepath.IsLocal(name)) {
		return s.Expansion.Span.own(dir)
	}
	return s
}

// rustTruth asks cargo check, of tests, too, in every workspace of the tree. What cargo cannot
// load it does not build, and says nothing of the sources.
func rustTruth(t testing.TB, root, cargo string) Findings {
	r := newReport(root)
	var roots []string
	for _, name := range Files(t, root, ".toml") {
		dir := filepath.Dir(name)
		if filepath.Base(name) != "Cargo.toml" || slices.ContainsFunc(roots, func(above string) bool {
			text, _ := os.ReadFile(filepath.Join(root, above, "Cargo.toml"))
			return strings.Contains(string(text), "[workspace]") && (above == "." || strings.HasPrefix(dir, above+"/"))
		}) {
			continue
		}
		roots = append(roots, dir)
	}
	built := len(roots) == 0
	for _, dir := range roots {
		dir = filepath.Join(root, dir)
		out := run(t, dir, cargo, "check", "--workspace", "--all-targets", "--keep-going", "--message-format=json", "--quiet")
		for line := range strings.SplitSeq(string(out), "\n") {
			var m struct {
				Reason  string
				Message struct {
					Level, Message string
					Spans          []rustSpan
				}
			}
			if json.Unmarshal([]byte(line), &m) != nil {
				continue
			}
			if built = built || m.Reason == "build-finished"; m.Message.Level != "error" {
				continue
			}
			for _, s := range m.Message.Spans {
				if s.Primary {
					s = s.own(dir)
					r.add(s.FileName, fmt.Sprint(s.LineStart), m.Message.Message)
				}
			}
		}
	}
	if !built {
		r.found.Add(Everywhere, fatal+"cargo loads nothing")
	}
	return r.found
}

var (
	javaLine = regexp.MustCompile(`(?m)^(\S+\.java):(\d+): error: (.*)$`)
	// After these javac leaves out what it finds otherwise, in any file.
	javaLost = regexp.MustCompile(`^(?:cannot access|class \w+ is public, should be declared|duplicate class)`)
	// After these, in this one: what it made of the syntax is not what others make of it.
	javaSyntax = regexp.MustCompile(`expected$|^illegal |^reached end of file|^invalid method declaration|^not a statement|^unclosed|without '|^orphaned`)
)

// javaTruth compiles all sources at once.
func javaTruth(t testing.TB, root, javac string) Findings {
	args := append([]string{"-d", t.TempDir(), "-Xmaxerrs", "1000", "-XDshould-stop.ifError=FLOW"}, Files(t, root, ".java")...)
	r := newReport(root)
	for _, m := range javaLine.FindAllStringSubmatch(string(run(t, root, javac, args...)), -1) {
		message := m[3]
		if javaLost.MatchString(message) {
			r.found.Add(Everywhere, fatal+message)
		} else if javaSyntax.MatchString(message) {
			message = fatal + message
		}
		r.add(m[1], m[2], message)
	}
	return r.found
}
