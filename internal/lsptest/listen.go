package lsptest

import (
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
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		l.Address = free.Addr().String()
		_ = free.Close()
	}
	l.Start()
	t.Cleanup(l.End)
	return l
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
