package gate

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certify writes a certificate for this machine, under a name, and its key.
func certify(t *testing.T, name, cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})))
}

// Connections are encrypted with TLS 1.2 or newer. A certificate that was renewed is used for the next
// connection; while only one of its files is new, the former one is.
//
// Requirement: HTTP-10.
func TestCertificates(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certify(t, "first", cert, key)
	log := &record{}
	of, err := OpenCertificate(cert, key, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, hello, func(g *Gate) { g.opts.Certificate = of })
	address := strings.TrimPrefix(h.url, "http://")
	name := func(version uint16) string {
		t.Helper()
		conn, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version})
		if err != nil {
			return err.Error()
		}
		defer conn.Close()
		if got := conn.ConnectionState(); got.Version != version {
			t.Errorf("it has version %x", got.Version)
		}
		return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	for version, want := range map[uint16]string{tls.VersionTLS13: "first", tls.VersionTLS12: "first", tls.VersionTLS11: "remote error: tls: protocol version not supported"} {
		if got := name(version); got != want {
			t.Errorf("%x: %s", version, got)
		}
	}
	next, nextKey := filepath.Join(dir, "next.pem"), filepath.Join(dir, "next.key")
	certify(t, "second", next, nextKey)
	text := func(file string) string {
		t.Helper()
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	write(t, cert, text(next))
	if got := name(tls.VersionTLS13); got != "first" || !strings.Contains(log.String(), "the certificate stays as it was") {
		t.Errorf("half of a new one: %s, %s", got, log)
	}
	write(t, key, text(nextKey))
	if got := name(tls.VersionTLS13); got != "second" {
		t.Errorf("a new one: %s", got)
	}
}

// What is not a certificate with its key is told with the file.
func TestMistakesInCertificates(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certify(t, "first", cert, key)
	for _, c := range [][2]string{{key, cert}, {cert, cert}, {cert, key + ".none"}, {cert + ".none", key}} {
		var of *FileError
		if _, err := OpenCertificate(c[0], c[1], nil); !errors.As(err, &of) || of.File != c[0] && of.File != c[1] {
			t.Errorf("%v: %v", c, err)
		}
	}
}
