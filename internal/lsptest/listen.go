package lsptest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/registry"
)

// A Listener is a real gopls that serves whoever connects to its address.
type Listener struct {
	// Address is as a configuration names it: host:port, or unix:/path.
	Address string

	t       testing.TB
	gopls   string
	running *exec.Cmd
	ended   chan struct{}
}

// Listen starts a gopls at an address of this machine, for network "tcp" or "unix". It is ended
// with the test.
func Listen(t testing.TB, network string) *Listener {
	t.Helper()
	l := &Listener{t: t, gopls: Require(t, "gopls")}
	if network == "unix" {
		l.Address = "unix:" + filepath.Join(t.TempDir(), "gopls.sock")
	} else {
		l.Address = freeAddress(t)
	}
	l.Start()
	t.Cleanup(l.End)
	return l
}

// freeAddress returns an address of this machine that nobody listens at. Its port is none of those
// that systems give to who asks for any: other tests ask for these all the time.
func freeAddress(t testing.TB) string {
	t.Helper()
	var failed error
	for range 20 {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000))
		free, err := net.Listen("tcp", address)
		if err == nil {
			_ = free.Close()
			return address
		}
		failed = err
	}
	t.Fatal(failed)
	return ""
}

// Start starts it again after its End, and returns when it listens.
func (l *Listener) Start() {
	l.t.Helper()
	network, address, _ := registry.Address(l.Address)
	if network == "unix" {
		_ = os.Remove(address) // a killed one leaves it, and the next one minds
	}
	running, ended := exec.Command(l.gopls, "serve", "-listen="+strings.Replace(l.Address, "unix:", "unix;", 1)), make(chan struct{})
	if err := running.Start(); err != nil {
		l.t.Fatal(err)
	}
	go func() { // ends with the process
		_ = running.Wait()
		close(ended)
	}()
	l.running, l.ended = running, ended
	Eventually(l.t, 20*time.Second, func() bool { // it says that it listens before it does
		conn, err := net.Dial(network, address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil || !l.Runs()
	}, "gopls listens at %s", l.Address)
	if !l.Runs() {
		l.t.Fatal("gopls ended instead of listening at ", l.Address)
	}
}

// Runs reports whether it was not ended by anybody.
func (l *Listener) Runs() bool {
	select {
	case <-l.ended:
		return false
	default:
		return true
	}
}

// End kills it, and returns when it has ended.
func (l *Listener) End() {
	_ = l.running.Process.Kill()
	<-l.ended
}
