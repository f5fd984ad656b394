package cli

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/gate"
	"github.com/lspine/lspine/internal/lsptest"
)

// blocks returns the blocks of a kind in the guide about HTTP.
func blocks(t *testing.T, kind string) (list []string) {
	t.Helper()
	text := read(t, filepath.Join("..", "..", "docs", "guides", "http.md"))
	for _, block := range regexp.MustCompile("(?s)\n```"+kind+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		list = append(list, block[1])
	}
	return list
}

// words splits a command line as a shell does, as far as the guide needs it.
func words(line string) (list []string) {
	for _, m := range regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(line, -1) {
		list = append(list, strings.Trim(m, `'"`))
	}
	return list
}

// curl does what curl does with the options that the guide uses, and returns the body of the answer.
func curl(t *testing.T, args []string) string {
	t.Helper()
	method, url, body, header := http.MethodGet, "", "", http.Header{}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-s":
		case "-d":
			i++
			method, body = http.MethodPost, args[i]
		case "-H":
			i++
			name, value, _ := strings.Cut(args[i], ": ")
			header.Set(name, value)
		default:
			url = args[i]
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	if host := header.Get("Host"); host != "" {
		req.Host = host
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return bodyOf(t, answer)
}

// What the guide shows of curl is what the server answers. There, … stands for anything.
func TestGuideToHTTP(t *testing.T) {
	const token = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	s.change = func(st *Streams) { st.Environ = append(st.Environ, "LSPINE_TOKEN="+token) }
	v := s.serve("--rpc")
	tried := 0
	for _, block := range blocks(t, "console") {
		for _, command := range strings.Split("\n"+block, "\n$ ")[1:] {
			line, want, _ := strings.Cut(command, "\n")
			args := words(line)
			if args[0] != "curl" {
				continue
			}
			for i := range args {
				args[i] = strings.NewReplacer("http://127.0.0.1:8080", strings.TrimSuffix(v.url, "/mcp"), "$LSPINE_TOKEN", token, "src/a.go", "a.toy").Replace(args[i])
			}
			form := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", ".*")
			if got := strings.TrimSpace(curl(t, args)); !regexp.MustCompile("^" + form + "$").MatchString(got) {
				t.Errorf("%s\nanswers\n%s\nwant\n%s", line, got, want)
			}
			tried++
		}
	}
	if tried != 7 {
		t.Errorf("%d commands were tried", tried)
	}
}

// The file with tokens in the guide can be used as it is.
func TestTokensOfTheGuide(t *testing.T) {
	if runtime.GOOS == "windows" {
		lsptest.Skip(t, "its paths are those of other systems")
	}
	documents := blocks(t, "jsonc")
	if len(documents) != 1 {
		t.Fatalf("there are %d", len(documents))
	}
	path := filepath.Join(t.TempDir(), "tokens.jsonc")
	if err := os.WriteFile(path, []byte(documents[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := gate.OpenTokens(path, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
}
