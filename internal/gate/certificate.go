package gate

import (
	"crypto/tls"
	"log/slog"
	"net"
	"os"
	"sync"

	"github.com/lspine/lspine/internal/fspath"
)

// A Certificate is the one of a server, in two files. It is read again when they change. It is safe for
// concurrent use.
type Certificate struct {
	cert, key string
	log       *slog.Logger

	// mu guards the certificate, and the files as they were when it was read.
	mu      sync.Mutex
	current *tls.Certificate
	seen    [2]stamp
}

// OpenCertificate reads a certificate with its chain, and its private key, from files in the form PEM. It fails
// with a *[FileError].
func OpenCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key, log: log}
	read, seen, err := c.read()
	if err != nil {
		return nil, err
	}
	c.current, c.seen = read, seen
	return c, nil
}

func (c *Certificate) read() (read *tls.Certificate, seen [2]stamp, err error) {
	seen = c.stamps()
	chain, err := fspath.Read(c.cert)
	if err != nil {
		return nil, seen, aboutFile(c.cert, err)
	}
	private, err := fspath.Read(c.key)
	if err != nil {
		return nil, seen, aboutFile(c.key, err)
	}
	pair, err := tls.X509KeyPair(chain, private)
	if err != nil {
		return nil, seen, &FileError{File: c.cert, Reason: err.Error(), Advice: "both files are PEM: the certificate with its chain, and its private key without a password"}
	}
	return &pair, seen, nil
}

// stamps returns the states of the two files.
func (c *Certificate) stamps() (now [2]stamp) {
	for i, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil {
			now[i] = stampOf(info)
		}
	}
	return now
}

// get returns the certificate as it is now. If a new one cannot be read, for example because only one of
// its files has been written yet, it is the former one.
func (c *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stamps() == c.seen {
		return c.current, nil
	}
	read, seen, err := c.read()
	c.seen = seen
	if err != nil {
		c.log.Error("the certificate stays as it was", "error", err)
		return c.current, nil
	}
	c.current = read
	return read, nil
}

// over returns a listener whose connections are encrypted.
func (c *Certificate) over(listener net.Listener) net.Listener {
	return tls.NewListener(listener, &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"http/1.1"}})
}
