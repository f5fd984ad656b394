package proc_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/windows"

	"github.com/lspine/lspine/internal/lsp/proc"
	"github.com/lspine/lspine/internal/lsptest"
)

// role makes the test binary a server, its child, or the owner of a server.
const role = "PROC_TEST_ROLE"

func TestMain(m *testing.M) {
	lsptest.Main(m, func() {
		switch os.Getenv(role) {
		case "echo": // its arguments, and then its input
			fmt.Println(strings.Join(os.Args[1:], "|"))
			_, _ = io.Copy(os.Stdout, os.Stdin)
			os.Exit(3)
		case "family": // with a child that nobody waits for
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), role+"=sleeper")
			if err := child.Start(); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println(os.Getpid(), child.Process.Pid)
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		case "sleeper":
			select {}
		case "owner":
			p, err := proc.Start(proc.Spec{Path: os.Args[0], Env: append(os.Environ(), role+"=family")})
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			line, _ := bufio.NewReader(p.Stdio()).ReadString('\n')
			fmt.Print(line)
			select {}
		}
	})
}

// play starts the test binary as a server in a role.
func play(t *testing.T, part string, args ...string) (*proc.Process, *bufio.Reader) {
	t.Helper()
	p, err := proc.Start(proc.Spec{Path: os.Args[0], Args: args, Env: append(os.Environ(), role+"="+part)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		_ = p.Stdio().Close()
	})
	return p, bufio.NewReader(p.Stdio())
}

// How a server ended is told, and a kill is no exit code of its own. Arguments arrive as they are.
func TestExitsAreTold(t *testing.T) {
	p, out := play(t, "echo", "a b", `c"d`, "", `e\`)
	line, err := out.ReadString('\n')
	if want := `a b|c"d||e\` + "\n"; line != want || err != nil {
		t.Errorf("the arguments are %q, %v; want %q", line, err, want)
	}
	p.CloseInput()
	<-p.Done()
	killed, _ := play(t, "echo")
	killed.Kill()
	got := []proc.Exit{p.Exit(), killed.Exit()}
	if diff := cmp.Diff([]proc.Exit{{Code: 3}, {Code: -1, Signal: "killed"}}, got); diff != "" {
		t.Error(diff)
	}
}

// When a server is done, so is all that it started.
func TestDoneIsTheEndOfTheTree(t *testing.T) {
	for name, end := range map[string]func(*proc.Process){
		"by itself": func(p *proc.Process) { p.CloseInput() },
		"killed":    func(p *proc.Process) { p.Kill() },
	} {
		p, out := play(t, "family")
		tree := pids(t, out)
		end(p)
		<-p.Done()
		for _, pid := range tree {
			if alive(pid) {
				t.Errorf("%s: %d is alive", name, pid)
			}
		}
	}
}

// An owner that is killed leaves nothing.
func TestNothingOutlivesItsOwner(t *testing.T) {
	for range 5 {
		owner := exec.Command(os.Args[0])
		owner.Env = append(os.Environ(), role+"=owner")
		said, err := owner.StdoutPipe()
		if err == nil {
			err = owner.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		tree := pids(t, bufio.NewReader(said))
		_ = owner.Process.Kill()
		_ = owner.Wait()
		lsptest.Eventually(t, 3*time.Second, func() bool { return !alive(tree[0]) && !alive(tree[1]) }, "%v are alive", tree)
	}
}

// A program that is not there is not blamed on PATH, and leaves no job or pipe.
func TestWhatCannotBeStarted(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.exe")
	for range 3 {
		if _, err := proc.Start(proc.Spec{Path: missing}); err == nil || strings.Contains(err.Error(), "PATH") {
			t.Errorf("%v", err)
		}
	}
}

// A script of cmd.exe is a server like others, whatever its arguments are.
func TestScripts(t *testing.T) {
	script := filepath.Join(t.TempDir(), "a b.cmd")
	lsptest.WriteFile(t, script, "@ECHO off\r\n\""+os.Args[0]+"\" %*\r\n")
	p, err := proc.Start(proc.Spec{Path: script, Args: []string{"--stdio", "a b"}, Env: append(os.Environ(), role+"=echo")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Stdio().Close() })
	line, err := bufio.NewReader(p.Stdio()).ReadString('\n')
	if line != "--stdio|a b\n" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
	p.Kill()
}

func pids(t *testing.T, out *bufio.Reader) (all []int) {
	t.Helper()
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(line) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatalf("%q", line)
		}
		all = append(all, pid)
	}
	return all
}

func alive(pid int) bool {
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(process) }()
	ended, _ := windows.WaitForSingleObject(process, 0)
	return ended != windows.WAIT_OBJECT_0
}
