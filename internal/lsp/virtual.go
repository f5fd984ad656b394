package lsp

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/lspine/lspine/internal/protocol"
)

// maxVirtual bounds the text of a document that is no file.
const maxVirtual = 8 << 20

// VirtualText returns the text of a document that is no file and that the server named: by a request of the server's own, or from
// the archive that its URI names.
func (s *Server) VirtualText(ctx context.Context, uri protocol.DocumentURI) ([]byte, error) {
	for _, v := range s.def.Virtual {
		if v.Scheme != uri.Scheme() {
			continue
		}
		quoted, err := json.Marshal(string(uri))
		if err != nil { // a string is never refused
			return nil, err
		}
		raw, err := s.send(ctx, v.Method, json.RawMessage(bytes.ReplaceAll(v.Params, []byte(`"${uri}"`), quoted)))
		if err != nil {
			return nil, err
		}
		var text *string
		if err := json.Unmarshal(raw, &text); err != nil || text == nil || *text == "" {
			return nil, fmt.Errorf("%s gives no text of it (%s)", s.def.ID, v.Method)
		}
		return []byte(*text), nil
	}
	if archive, name, found := inArchive(uri); found {
		return fromArchive(archive, name)
	}
	return nil, fmt.Errorf("%s has no request for the text of a %s: document", s.def.ID, uri.Scheme())
}

// inArchive returns the archive that a URI names, and the name of what it means in that: zipfile:///a.zip::b, jar:file:///a.jar!/b.
func inArchive(uri protocol.DocumentURI) (archive, name string, found bool) {
	_, rest, _ := strings.Cut(string(uri), ":")
	switch uri.Scheme() {
	case "zipfile":
		archive, name, found = strings.Cut(rest, "::")
		archive = "file:" + archive
	case "jar", "zip":
		archive, name, found = strings.Cut(rest, "!/")
		if !strings.HasPrefix(archive, "file:") {
			archive = "file:" + archive
		}
	}
	if !found {
		return "", "", false
	}
	path, err := protocol.DocumentURI(archive).Path()
	if err != nil {
		return "", "", false
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return path, strings.TrimPrefix(name, "/"), true
}

func fromArchive(archive, name string) ([]byte, error) {
	r, err := zip.OpenReader(archive)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // it was only read
	file, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, maxVirtual))
}
