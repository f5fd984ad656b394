package lsptest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

const (
	scriptVariable = "LSPTEST_SCRIPT" // a Script as JSON: be that server
	childVariable  = "LSPTEST_CHILD"  // a file: write the own pid to it and refuse to end
	trustVariable  = "LSPINE_TRUST"   // whether checkouts are trusted
	daemonVariable = "LSPINE_DAEMON"  // whether programs that a test starts use a daemon
	markerVariable = "LSPTEST_MARKER" // only there to be found by Marked
)

// started says that the tests of the package run by way of Main.
var started atomic.Bool

// MustHaveMain fails the test unless the package has a TestMain that calls Main: a server
// or supervisor that it starts is the test binary, which would run all tests once more, and
// these again.
func MustHaveMain(t testing.TB) {
	t.Helper()
	if !started.Load() {
		t.Fatal("the package needs a TestMain that calls lsptest.Main")
	}
}

// NoDaemon makes the programs that tests start go without a daemon, which would outlive them.
// A test that wants one says so in their environment; who wants to run all with one sets the
// variable LSPINE_DAEMON to auto.
func NoDaemon() {
	if os.Getenv(daemonVariable) == "" {
		_ = os.Setenv(daemonVariable, "never")
	}
}

// Trusting makes the programs that tests start trust the checkouts of tests: most are about what servers say when they run what they
// need. A test about trust says so in their environment.
func Trusting() {
	if os.Getenv(trustVariable) == "" {
		_ = os.Setenv(trustVariable, "always")
	}
}

// SideBySide lets so many parallel tests of a package run at once, unless the command line says how
// many. It is a hook of [Main] for tests that wait for servers more than they compute.
func SideBySide(n int) func() {
	return func() { _ = flag.Set("test.parallel", strconv.Itoa(max(n, runtime.GOMAXPROCS(0)))) } // the flag exists
}

// Main is the body of a TestMain; it never returns. The hooks run first, so
// that a process started for another purpose (a supervisor) can take over and
// exit. Then a process started as a scripted server becomes that server.
// Otherwise the tests run, and goroutines they left running fail the package.
func Main(m interface{ Run() int }, before ...func()) {
	for _, hook := range before {
		hook()
	}
	if file := os.Getenv(childVariable); file != "" {
		stayAlive(file)
	}
	if text := os.Getenv(scriptVariable); text != "" {
		var script Script
		if err := json.Unmarshal([]byte(text), &script); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", scriptVariable, err)
			os.Exit(2)
		}
		newServer(script, os.Stdin, os.Stdout).run()
	}
	started.Store(true)
	NoDaemon()
	Trusting()
	code := m.Run()
	if code == 0 {
		// What waits for the pipes of a program that has any is there until it ends.
		if err := goleak.Find(goleak.IgnoreAnyFunction("github.com/Microsoft/go-winio.ioCompletionProcessor")); err != nil {
			fmt.Fprintf(os.Stderr, "goroutines are left after the tests: %v\n", err)
			code = 1
		}
	}
	os.Exit(code)
}
