package proc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// CargoVariable makes an executable stand for cargo: its value is the path of the real one. rust-analyzer takes cargo from the
// variable CARGO, tells only of the crates that cargo compiled anew, and nothing of how it ended; what stands for cargo lets it
// tell of each crate that is compiled, and of the end.
const CargoVariable = "LSPINE_CARGO"

// What the one that stands for cargo has said of a run, as names of crates: that it ended, and whose build script failed.
const (
	CargoEnded  = "lspine-cargo-ended"
	CargoScript = "lspine-build-script-failed-"
)

// Cargo is the whole life of what stands for cargo: it runs the real one with the arguments, and ends as that does. It does not
// return.
func Cargo(real string, args []string) {
	cmd := exec.Command(real, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = realEnviron(os.Environ())
	var err error
	if checks(args) {
		err = retold(cmd, os.Stdout, os.Stderr)
	} else {
		err = cmd.Run()
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		os.Exit(0)
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		os.Exit(exit.ExitCode())
	}
	os.Exit(101) // as cargo's own failures
}

// realEnviron returns the environment of the real cargo: nothing that it starts is to come here, and it does not log, as
// rust-analyzer has it do: the times in that would be a part of why it failed.
func realEnviron(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, value, _ := strings.Cut(entry, "=")
		return name == CargoVariable || name == "CARGO" || name == "CARGO_LOG" && strings.HasPrefix(value, "cargo::core::compiler::fingerprint")
	})
}

// checks reports whether cargo is to check the crates of a workspace, and to tell of it to a program.
func checks(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--message-format=json") }) &&
		!slices.Contains(args, "--compile-time-deps")
}

// retold runs cargo, and passes on what it tells.
func retold(cmd *exec.Cmd, stdout, stderr io.Writer) error {
	out, in := io.Pipe()
	said, saying := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, saying
	var failed []string
	var both sync.WaitGroup
	both.Go(func() { failed = failedScripts(said, stderr) })
	var crate *cargoMessage
	both.Go(func() { crate = retell(out, stdout) })
	err := cmd.Run()
	_, _ = in.Close(), saying.Close()
	both.Wait()
	if crate != nil { // else rust-analyzer says why cargo failed
		for _, name := range failed {
			crate.tell(stdout, CargoScript+name)
		}
		crate.tell(stdout, CargoEnded)
	}
	return err
}

var failedScript = lazyregexp.New("^error: failed to run custom build command for `([^ `]+)")

// failedScripts passes on what cargo writes to its standard error, and returns the packages whose build scripts failed.
func failedScripts(from io.Reader, to io.Writer) (names []string) {
	lines(from, func(line []byte) {
		if found := failedScript.FindSubmatch(line); found != nil {
			names = append(names, string(found[1]))
		}
		_, _ = to.Write(line)
	})
	return names
}

// A cargoMessage is what cargo tells of a crate, as far as rust-analyzer needs it to take note.
type cargoMessage struct {
	Reason    string                     `json:"reason"`
	Package   json.RawMessage            `json:"package_id"`
	Manifest  json.RawMessage            `json:"manifest_path"`
	Target    map[string]json.RawMessage `json:"target"`
	Profile   json.RawMessage            `json:"profile"`
	Features  []string                   `json:"features"`
	Files     []string                   `json:"filenames"`
	Fresh     bool                       `json:"fresh"`
	Artifacts *string                    `json:"executable"`
}

// tell writes a message that a crate of that name was compiled.
func (m *cargoMessage) tell(to io.Writer, name string) {
	said := *m
	said.Reason, said.Features, said.Files, said.Fresh, said.Artifacts = "compiler-artifact", []string{}, []string{}, false, nil
	said.Profile = json.RawMessage(`{"opt_level":"0","debuginfo":0,"debug_assertions":true,"overflow_checks":true,"test":false}`)
	said.Target = make(map[string]json.RawMessage, len(m.Target))
	for key, value := range m.Target {
		said.Target[key] = value
	}
	said.Target["name"], _ = json.Marshal(name) // a text can be marshalled
	if line, err := json.Marshal(said); err == nil {
		_, _ = to.Write(append(line, '\n'))
	}
}

// retell passes on what cargo tells of crates; those of the workspace it tells of as if they were compiled anew. It returns the
// last crate of the workspace that cargo told of, nil if there was none.
func retell(from io.Reader, to io.Writer) (last *cargoMessage) {
	lines(from, func(line []byte) {
		var m cargoMessage
		if json.Unmarshal(line, &m) == nil && m.Target != nil && bytes.Contains(m.Package, []byte("path+file")) {
			last = &m
			if m.Reason == "compiler-artifact" && m.Fresh {
				line = bytes.Replace(line, []byte(`"fresh":true`), []byte(`"fresh":false`), 1)
			}
		}
		_, _ = to.Write(line)
	})
	return last
}

// lines calls a function with each line, its end included.
func lines(from io.Reader, each func(line []byte)) {
	reader := bufio.NewReader(from)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			each(line)
		}
		if err != nil {
			return
		}
	}
}
