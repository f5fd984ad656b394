package artefact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/errcode"
)

// Credentials are those of registries.
type Credentials = credentials.Store

// DockerCredentials returns the credentials that `docker login`, `podman login` and `oras login` keep for the user. A helper that they
// name is run.
func DockerCredentials() (Credentials, error) {
	return credentials.NewStoreFromDocker(credentials.StoreOptions{})
}

// maxManifest bounds what describes an artefact.
const maxManifest = 1 << 20

// artefactType is the media type of artefacts of ours.
const artefactType = "application/vnd.lspine.artefact.v1"

// A CredentialsError says that a registry wants credentials that there are none of.
type CredentialsError struct{ Registry string }

func (e *CredentialsError) Error() string { return e.Registry + " wants credentials" }

// Hint says how there are some.
func (e *CredentialsError) Hint() string {
	return "docker login, podman login or oras login keeps them: oras login " + e.Registry
}

// explain returns what an error of a registry means for who named it.
func (p *Place) explain(err error) error {
	var refused *errcode.ErrorResponse
	if errors.Is(err, auth.ErrBasicCredentialNotFound) || errors.As(err, &refused) && refused.StatusCode == http.StatusUnauthorized {
		host, _, _ := strings.Cut(p.reference, "/")
		return &CredentialsError{host}
	}
	return err
}

// checkReference reports what is wrong with the name of an artefact in a registry.
func checkReference(reference string) error {
	r, err := registry.ParseReference(reference)
	if err != nil {
		return errors.New("it names no repository in a registry")
	}
	if r.Reference == "" {
		return errors.New("it has no tag and no digest")
	}
	return nil
}

// repository returns the repository of a place.
func (s *Store) repository(p *Place) (*remote.Repository, error) {
	repository, err := remote.NewRepository(p.reference)
	if err != nil {
		return nil, err
	}
	repository.PlainHTTP = isHere(hostname(repository.Reference.Registry))
	client := &auth.Client{Client: s.client(), Cache: auth.NewCache()}
	client.SetUserAgent("lspine")
	if s.Registries != nil {
		client.Credential = credentials.Credential(s.Registries)
	}
	repository.Client = client
	return repository, nil
}

// pull writes the one file of an artefact to w.
func (s *Store) pull(ctx context.Context, p *Place, w io.Writer) (string, error) {
	repository, err := s.repository(p)
	if err != nil {
		return "", err
	}
	described, err := repository.Resolve(ctx, repository.Reference.Reference)
	switch {
	case errors.Is(err, errdef.ErrNotFound):
		return "", errors.New("the registry has no such artefact")
	case err != nil:
		return "", p.explain(err)
	case described.Size > maxManifest:
		return "", errors.New("its manifest is too large")
	}
	text, err := content.FetchAll(ctx, repository, described)
	if err != nil {
		return "", err
	}
	var manifest ocispec.Manifest
	if err := json.Unmarshal(text, &manifest); err != nil {
		return "", fmt.Errorf("its manifest: %w", err)
	}
	if len(manifest.Layers) != 1 {
		return "", fmt.Errorf("it has %d files, and not one", len(manifest.Layers))
	}
	layer := manifest.Layers[0]
	if layer.Size > MaxBytes {
		return "", errTooLarge
	}
	from, err := repository.Fetch(ctx, layer)
	if err != nil {
		return "", err
	}
	defer func() { _ = from.Close() }() // it was read
	verified := content.NewVerifyReader(from, layer)
	if _, err := io.Copy(w, verified); err != nil {
		return "", err
	}
	if err := verified.Verify(); err != nil {
		return "", fmt.Errorf("it is not what its manifest says: %w", err)
	}
	return layer.Digest.String(), nil
}

// push makes an artefact with one file.
func (s *Store) push(ctx context.Context, p *Place, file io.Reader, size int64, sum, media string) (string, error) {
	repository, err := s.repository(p)
	if err != nil {
		return "", err
	}
	tag := repository.Reference.Reference
	if repository.Reference.ValidateReferenceAsDigest() == nil {
		return "", &PlaceError{p.name, "the digest follows from the content", "name a tag, such as the commit"}
	}
	layer := ocispec.Descriptor{MediaType: media, Digest: digest.NewDigestFromEncoded(digest.SHA256, sum), Size: size}
	there, err := repository.Blobs().Exists(ctx, layer)
	if err != nil {
		return "", p.explain(err)
	}
	if !there {
		if err := repository.Blobs().Push(ctx, layer, file); err != nil && !errors.Is(err, errdef.ErrAlreadyExists) {
			return "", err
		}
	}
	described, err := oras.PackManifest(ctx, repository, oras.PackManifestVersion1_1, artefactType, oras.PackManifestOptions{
		Layers: []ocispec.Descriptor{layer},
		// The same content has the same digest, whenever it is kept.
		ManifestAnnotations: map[string]string{ocispec.AnnotationCreated: "1970-01-01T00:00:00Z"},
	})
	if err != nil {
		return "", err
	}
	if err := repository.Tag(ctx, described, tag); err != nil {
		return "", err
	}
	return scheme + repository.Reference.Registry + "/" + repository.Reference.Repository + "@" + described.Digest.String(), nil
}

// hostname returns the host of a registry without its port.
func hostname(host string) string { return (&url.URL{Host: host}).Hostname() }
