package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Over HTTP the server says where it serves, answers there and, when it is interrupted, ends with a
// clean exit; then nobody listens there. A port that is taken is refused with a way out.
func TestMCPOverHTTP(t *testing.T) {
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	said, stderr := io.Pipe()
	s.change = func(st *Streams) { st.Err = stderr }
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan outcomeOf, 1)
	go func() {
		ended <- s.runIn(ctx, "mcp", "--http", "--no-auth", "--port", "0", "--root", s.root)
		_ = stderr.Close()
	}()
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	address, serves := strings.CutPrefix(strings.TrimSpace(line), "lspine: serving MCP at ")
	if err != nil || !serves || !strings.HasPrefix(address, "http://127.0.0.1:") || !strings.HasSuffix(address, "/mcp") {
		t.Fatalf("it says %q, %v", line, err)
	}
	ask := func() (status int, text string, err error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(hello))
		if err != nil {
			return 0, "", err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Do(req)
		if err != nil {
			return 0, "", err
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		return answer.StatusCode, string(body), err
	}
	if status, text, err := ask(); status != http.StatusOK || !strings.Contains(text, `"serverInfo"`) || err != nil {
		t.Errorf("status %d, %v: %s", status, err, text)
	}

	other := newShop(t, "", lsptest.Script{})
	_, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	other.expect("a port that is taken", other.run("mcp", "--http", "--no-auth", "--port", port), exitUsage, "", "lspine: --port: listen tcp4 127.0.0.1:"+port, "  choose another port, or 0\n")

	interrupt()
	rest, _ := io.ReadAll(lines)
	if got := <-ended; got.code != exitClean || len(rest) > 0 {
		t.Errorf("it ends with code %d: %s", got.code, rest)
	}
	if status, text, err := ask(); err == nil {
		t.Errorf("after its end: %d, %s", status, text)
	}
}

// Rules for tools are read from flags, the last one for a tool counts; one without a tool, or that
// nobody knows, is refused with an example.
func TestPermissionsOfTools(t *testing.T) {
	read := func(given ...string) (map[string]api.Permission, error) {
		f := &mcpFlags{permission: given}
		return f.permissions()
	}
	got, err := read("check=deny", "rename=ask:allow", "edit=ask", "check=allow")
	want := map[string]api.Permission{
		"check":  {Action: api.Allow, Fallback: api.Deny},
		"rename": {Action: api.Ask, Fallback: api.Allow},
		"edit":   {Action: api.Ask, Fallback: api.Deny},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	for given, says := range map[string]string{
		"check":        `--permission: "check" names no tool with its rule`,
		"=deny":        `--permission: "=deny" names no tool with its rule`,
		"check=":       `permission: there is no rule ""`,
		"check=always": `permission: there is no rule "always"`,
	} {
		if got, err := read("edit=deny", given); err == nil || got != nil || result.ErrorOf(err).Message != says {
			t.Errorf("%s: %v, %v", given, got, err)
		}
	}
	s := newShop(t, "", lsptest.Script{})
	s.expect("a tool without a rule", s.run("mcp", "--permission", "check"), exitUsage, "", `"check" names no tool`, "for example --permission lsp_rename=allow")
}

// Folders that are allowed besides the root are those of flags, which must be there, and those of a
// person's own configuration: below that person's home with ~, and passed over with a word where
// there is none.
func TestAllowedFolders(t *testing.T) {
	dir := lsptest.Workspace(t, "-- shop/a.toy --\n-- library/a.toy --\n-- home/app/a.toy --\n-- file --\n")
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	config := at("config.jsonc")
	allowed := func(configured, home string, flags ...string) (list []string, said string, err error) {
		t.Helper()
		lsptest.WriteFile(t, config, `{"lsp":{"allowRoots":[`+configured+`]}}`)
		var errs strings.Builder
		f := &mcpFlags{global: &global{configFile: config}, allow: flags}
		list, err = f.allowed(&Streams{Dir: at("shop"), Err: &errs, Environ: []string{"HOME=" + home, "USERPROFILE=" + home}})
		return list, strings.ReplaceAll(errs.String(), dir, "DIR"), err
	}
	list, said, err := allowed(`"~/app", "~/none", "`+lsptest.InJSON(at("library"))+`"`, at("home"), "../library", at("home"))
	if diff := cmp.Diff([]string{at("library"), at("home"), at("home/app"), at("library")}, list); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	if !strings.HasPrefix(said, "lspine: configuration: allowRoots: ") || strings.Count(said, "\n") != 1 || !strings.Contains(said, "none") {
		t.Errorf("said is %q", said)
	}
	for _, home := range []string{"", "home"} {
		if list, said, err := allowed(`"~/app"`, home); list != nil || said != "" || err != nil {
			t.Errorf("with the home %q: %q, %q, %v", home, list, said, err)
		}
	}
	var usage *usageError
	if list, _, err := allowed(`"~/app"`, at("home"), "../library", "../file"); list != nil || !errors.As(err, &usage) || !strings.HasPrefix(usage.message, "--allow-root: ") {
		t.Errorf("a file: %q, %v", list, err)
	}
}
