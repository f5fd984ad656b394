package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/artefact"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/result"
)

// storeHelp says what an address is.
const storeHelp = "ADDRESS is where a team shares it: https://HOST/PATH, to which it is written by PUT, with\n" +
	"LSPINE_STORE_TOKEN as a bearer; or oci:HOST/REPOSITORY:TAG in a registry of containers,\n" +
	"with the credentials of docker, podman or oras login. The digest of what was written is\n" +
	"told: https://HOST/PATH#sha256=DIGEST and oci:HOST/REPOSITORY@sha256:DIGEST are that alone."

// placeOf returns the place in a store that an argument means, nil if it is a file.
func placeOf(argument string) (*artefact.Place, error) {
	place, err := artefact.Parse(argument)
	var wrong *artefact.PlaceError
	if errors.As(err, &wrong) {
		return nil, &usageError{wrong.Error(), wrong.Advice}
	}
	return place, err
}

// A staged file is one that is fetched from a store, or is to be given to one, while an operation reads or writes it.
type staged struct {
	store artefact.Store
	place *artefact.Place
	path  string
}

// stage returns an empty file for the content of a place. The caller closes it.
func stage(streams *Streams, place *artefact.Place) (*staged, error) {
	cache, err := cacheFolder(streams)
	if err != nil {
		return nil, err
	}
	var registries artefact.Credentials
	if place.InRegistry() { // nobody else needs what may be wrong with them
		if registries, err = artefact.DockerCredentials(); err != nil {
			return nil, fmt.Errorf("the credentials for registries: %w", err)
		}
	}
	exchange := filepath.Join(cache, api.ExchangeFolder)
	if err := os.MkdirAll(exchange, 0o700); err != nil {
		return nil, err
	}
	removeLeft(exchange)
	path := filepath.Join(exchange, rand.Text())
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	return &staged{
		store: artefact.Store{Client: http.DefaultClient, Token: lookup(streams.Environ, "LSPINE_STORE_TOKEN"), Registries: registries},
		place: place, path: path,
	}, nil
}

// leftAfter is when a file that nothing was written to since is one that a process has left which was killed.
const leftAfter = 24 * time.Hour

// removeLeft removes what processes that were killed have left in the exchange folder.
func removeLeft(exchange string) {
	entries, err := os.ReadDir(exchange)
	if err != nil {
		return // the next one removes them
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftAfter {
			_ = os.Remove(filepath.Join(exchange, entry.Name())) // what is left is only space
		}
	}
}

// close removes the file.
func (s *staged) close() { _ = os.Remove(s.path) } // what is left is only space

// fetch gets what is at the place, and returns its digest.
func (s *staged) fetch(ctx context.Context) (digest string, err error) {
	file, err := os.OpenFile(s.path, os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	digest, err = s.store.Fetch(ctx, s.place, file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.place, err)
	}
	return digest, nil
}

// keep gives the file to the store, and returns its address there by its content.
func (s *staged) keep(ctx context.Context, media string) (address string, err error) {
	file, err := fspath.Open(s.path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was read
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if address, err = s.store.Keep(ctx, s.place, file, info.Size(), media); err != nil {
		return "", fmt.Errorf("%s: %w", s.place, err)
	}
	return address, nil
}

// restate returns an error of an operation on the file as one about the place, which is what the user named.
func (s *staged) restate(err error) error {
	var of *result.Error
	if !errors.As(err, &of) {
		return err
	}
	about := *of
	for _, text := range []*string{&about.Message, &about.Hint, &about.Data.Reason, &about.Data.Path} {
		*text = strings.ReplaceAll(*text, s.path, s.place.String())
	}
	return &about
}

// exportTo calls an operation that writes an artefact: into a file, or for a place in a store.
func exportTo[Req any](ctx context.Context, n *navigation, op api.Op[Req, result.Done], name, media string, request func(file string) Req) error {
	place, err := placeOf(name)
	switch {
	case err != nil:
		return err
	case place == nil:
		return run(ctx, n, op, request(name))
	}
	s, err := stage(n.streams, place)
	if err != nil {
		return err
	}
	defer s.close()
	return s.restate(ask(ctx, n, op, request(s.path), func(done result.Done) error {
		address, err := s.keep(ctx, media)
		if err != nil {
			return err
		}
		done.Path, done.Done = place.String(), done.Done+"; it is "+address
		return show(n, done)
	}))
}

// importFrom calls an operation that reads an artefact: a file, or what is at a place in a store.
func importFrom[Req any](ctx context.Context, n *navigation, op api.Op[Req, result.Done], name string, request func(file string) Req) error {
	place, err := placeOf(name)
	switch {
	case err != nil:
		return err
	case place == nil:
		return run(ctx, n, op, request(name))
	}
	s, err := stage(n.streams, place)
	if err != nil {
		return err
	}
	defer s.close()
	digest, err := s.fetch(ctx)
	if err != nil {
		return err
	}
	return s.restate(ask(ctx, n, op, request(s.path), func(done result.Done) error {
		done.Path, done.Done = place.String(), done.Done+"; it is "+digest
		return show(n, done)
	}))
}
