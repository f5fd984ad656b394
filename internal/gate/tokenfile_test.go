package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"

	"github.com/lspine/lspine/internal/policy"
)

// write writes a file that only its user can read.
func write(t *testing.T, path, text string) {
	t.Helper()
	// Another file takes its place, as editors and Kubernetes do it.
	next := path + ".next"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
}

func sumOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// A file may have one token, or several with what each may do; a token may be given by its SHA-256 alone.
//
// Requirement: HTTP-8.
func TestTokensOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	shop := filepath.Join(t.TempDir(), "shop")
	type seen struct {
		Name       string
		Workspaces []string
		Limits     Limits
		Rules      int
	}
	const ci, agent = "c1c1c1c1c1c1c1c1c1c1c1c1", "a9a9a9a9a9a9a9a9a9a9a9a9"
	for text, want := range map[string]map[string]seen{
		ci:                 {ci: {"token", nil, Limits{Calls: 64, Streams: 128}, 0}},
		"  " + ci + "\r\n": {ci: {"token", nil, Limits{Calls: 64, Streams: 128}, 0}},
		fmt.Sprintf(`// who may come
			{"tokens": [
				{"name": "ci", "token": %q, "calls": 2, "streams": 1, "perSecond": 0.5, "burst": 3},
				{"name": "agent", "sha256": %q, "workspaces": [%q],
				 "policy": [{"match": {"class": "edit"}, "action": "deny", "reason": "it only reads"}]},
			]}`, ci, sumOf(agent), shop): {
			ci:    {"ci", nil, Limits{2, 1, 0.5, 3}, 0},
			agent: {"agent", []string{shop}, Limits{Calls: 64, Streams: 128}, 1},
		},
	} {
		write(t, path, text)
		tokens, err := OpenTokens(path, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := make(map[string]seen)
		for _, token := range []string{ci, agent, sumOf(ci), sumOf(agent), ""} {
			if c, err := tokens.of.client(t.Context(), token); err == nil {
				got[token] = seen{c.Name, c.Workspaces, c.limits, len(c.rules.Rules)}
			} else if !errors.Is(err, errUnknown) {
				t.Error(err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A mistake in a file is told with its line and key, and never with the token.
func TestMistakesInTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	const token = "c1c1c1c1c1c1c1c1c1c1c1c1"
	one := func(members string) string { return "{\"tokens\": [\n{\"name\": \"ci\"" + members + "}]}" }
	for text, want := range map[string]string{
		"":                           "its text is not a token: it is empty",
		token + "\n" + token:         "its text is not a token: it has characters that no header of HTTP may have",
		"{":                          "it is not JSON: line 1, column 2",
		`{"tokens": []}`:             "it has no tokens",
		`{"token": "` + token + `"}`: ":1: token: there is no such key here",
		`{"tokens": {}}`:             ":1: tokens: it is not an array",
		one(""):                      `:2: tokens[0]: it must have either "token" or "sha256"`,
		one(`, "token": "` + token + `", "sha256": "` + sumOf(token) + `"`):                               `:2: tokens[0]: it must have either "token" or "sha256"`,
		one(`, "token": "` + token + ` "`):                                                                ":2: tokens[0].token: it has characters",
		one(`, "sha256": "` + token + `"`):                                                                ":2: tokens[0].sha256: it is not a SHA-256",
		one(`, "tokn": "` + token + `"`):                                                                  ":2: tokens[0].tokn: there is no such key here",
		one(`, "name": "x", "token": "` + token + `"`):                                                    ":2: tokens[0].name: it stands here twice",
		one(`, "token": "` + token + `", "burst": 2`):                                                     `:2: tokens[0].burst: it is of no use without "perSecond"`,
		one(`, "token": "` + token + `", "calls": 0`):                                                     ":2: tokens[0].calls: it is not a number above 0",
		one(`, "token": "` + token + `", "calls": 1.5`):                                                   ":2: tokens[0].calls: it is not a whole number",
		one(`, "token": "` + token + `", "workspaces": ["shop"]`):                                         ":2: tokens[0].workspaces[0]: it is not an absolute path",
		one(`, "token": "` + token + `", "policy": [{"action": "denied"}]`):                               `:2: tokens[0].policy: rule 1: there is no "denied" here`,
		one(`, "token": "` + token + `", "policy": [{"match": {"path": "a"}, "action": "deny"}]`):         ":2: tokens[0].policy[0].match.path: rules of tokens are about operations and classes alone",
		`{"tokens": [{"name": "a/b", "token": "` + token + `"}]}`:                                         ":1: tokens[0].name: it is not a name",
		"{\"tokens\": [{\"token\": \"" + token + "\"}]}":                                                  ":1: tokens[0]: it has no name",
		one(`, "token": "` + token + `"},` + "\n" + `{"name": "ci", "token": "x"`):                        `:3: tokens[1].name: another token is called "ci", too`,
		one(`, "token": "` + token + `"},` + "\n" + `{"name": "other", "sha256": "` + sumOf(token) + `"`): `:3: tokens[1]: it is the token of "ci", too`,
	} {
		write(t, path, text)
		_, err := OpenTokens(path, slog.New(slog.DiscardHandler))
		var of *FileError
		if !errors.As(err, &of) || !strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(err.Error(), path), ": "), want) || strings.Contains(err.Error()+of.Advice, token) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := OpenTokens(path+".none", nil); err == nil || !strings.HasPrefix(err.Error(), path+".none: ") {
		t.Errorf("no file: %v", err)
	}
}

// A file that other users can read or change is not used.
func TestTokensOfEverybody(t *testing.T) {
	if runtime.GOOS == "windows" {
		lsptest.Skip(t, "rights of files are another matter there")
	}
	path := filepath.Join(t.TempDir(), "tokens")
	write(t, path, secret)
	for mode, refused := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o602: true, 0o620: true} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := OpenTokens(path, slog.New(slog.DiscardHandler))
		var of *FileError
		if errors.As(err, &of); (err != nil) != refused || refused && (of == nil || of.Advice != "chmod 600 "+path) {
			t.Errorf("%v: %v", mode, err)
		}
	}
}

// A file that changes is read before the next request. A token that is not in it any more opens nothing,
// and ends what it opened; one that is said the same of keeps what it has. A mistake changes nothing and
// is told once.
func TestTokensThatChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	log := &record{}
	document := func(names ...string) string {
		var list []string
		for _, name := range names {
			list = append(list, fmt.Sprintf(`{"name": %q, "token": %q}`, name, "token-of-"+name))
		}
		return `{"tokens": [` + strings.Join(list, ",") + `]}`
	}
	write(t, path, document("ada", "bob"))
	tokens, err := OpenTokens(path, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	client := func(name string) *Client {
		c, _ := tokens.of.client(t.Context(), "token-of-"+name)
		return c.Client
	}
	ada, bob := client("ada"), client("bob")
	write(t, path, document("bob", "eve"))
	if client("ada") != nil || client("bob") != bob || client("eve") == nil || bob.valid.Err() != nil {
		t.Error("the new tokens do not count, or the old ones do")
	}
	if ada.valid.Err() == nil {
		t.Error("what the former token opened goes on")
	}
	write(t, path, `{"tokens": [`)
	for range 2 {
		if client("bob") != bob {
			t.Error("a mistake took tokens back")
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if client("bob") != bob {
		t.Error("a file that is gone took tokens back")
	}
	if text := log.String(); strings.Count(text, "the tokens stay as they were") != 2 || strings.Contains(text, "token-of") {
		t.Errorf("the log is %s", text)
	}
	write(t, path, strings.Replace(document("bob"), `"bob",`, `"bob", "calls": 1,`, 1))
	next := client("bob")
	if next == nil || next == bob || bob.valid.Err() == nil || next.limits.Calls != 1 {
		t.Error("new limits do not count")
	}
	write(t, path, `{"tokens": []}`)
	if client("bob") != nil || next.valid.Err() == nil {
		t.Error("the last token cannot be taken back")
	}
}

// A stream ends when its token is taken back, or may do less, without another request: however the file is written, also where links
// lead to it, and where an authorization server issues tokens, too.
//
// Requirement: HTTP-8.
func TestStreamOfAFormerToken(t *testing.T) {
	one := func(more string) string {
		return fmt.Sprintf(`{"tokens": [{"name": "ci", "token": %q%s}]}`, secret, more)
	}
	overwrite := func(t *testing.T, path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		text   string
		change func(t *testing.T, path, text string)
		links  bool
	}{
		"no tokens":          {`{"tokens": []}`, write, false},
		"another token":      {"another-token", write, false},
		"written in place":   {`{"tokens": []}`, overwrite, false},
		"less workspaces":    {one(`, "workspaces": ["/srv/shop"]`), write, false},
		"a rule that denies": {one(`, "policy": [{"match": {"class": "read"}, "action": "deny"}]`), write, false},
		"a link to another folder": {`{"tokens": []}`, func(t *testing.T, path, text string) {
			next := filepath.Join(filepath.Dir(path), "..2")
			if err := os.Mkdir(next, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(next, "tokens"), text)
			relink(t, "..2", filepath.Join(filepath.Dir(path), "..data"))
		}, true},
		"a file that a link leads to": {`{"tokens": []}`, func(t *testing.T, path, text string) {
			write(t, filepath.Join(filepath.Dir(path), "..1", "tokens"), text)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tokens")
			if c.links { // as Kubernetes mounts a secret
				if runtime.GOOS == "windows" {
					lsptest.Skip(t, "links need rights there")
				}
				if err := os.Mkdir(filepath.Join(filepath.Dir(path), "..1"), 0o700); err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Join(filepath.Dir(path), "..1", "tokens"), one(""))
				relink(t, "..1", filepath.Join(filepath.Dir(path), "..data"))
				relink(t, filepath.Join("..data", "tokens"), path)
			} else {
				write(t, path, one(""))
			}
			begun, ended := make(chan struct{}), make(chan struct{})
			h := open(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				close(begun)
				<-r.Context().Done()
				close(ended)
			}, func(g *Gate) {
				tokens, err := OpenTokens(path, slog.New(slog.DiscardHandler))
				if err != nil {
					t.Fatal(err)
				}
				g.opts.Tokens = Either(Single("another"), tokens)
			})
			done := make(chan struct{})
			go func() { // ends with the stream
				defer close(done)
				h.ask(http.MethodGet, "/stream", "")
			}()
			<-begun
			c.change(t, path, c.text)
			<-ended
			<-done
		})
	}
}

// relink gives a link another target, as Kubernetes does it.
func relink(t *testing.T, target, link string) {
	t.Helper()
	if err := os.Symlink(target, link+".next"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(link+".next", link); err != nil {
		t.Fatal(err)
	}
}

// Where nothing tells of changes, they are noticed after a while.
func TestTokensWithoutEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	write(t, path, secret)
	synctest.Test(t, func(t *testing.T) {
		tokens, err := OpenTokens(path, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		client, err := tokens.of.client(t.Context(), secret)
		if err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { // received below
			defer close(done)
			tokens.of.(*tokenFile).lookWhen(ctx, nil)
		}()
		synctest.Wait()
		write(t, path, `{"tokens": []}`)
		<-client.valid.Done()
		leave()
		<-done
	})
}

// What a token may take is limited: calls and streams apart, and how many begin in a time.
//
// Requirement: HTTP-8.
func TestLimitsOfAToken(t *testing.T) {
	for limits, want := range map[Limits]int{{PerSecond: 5}: 5, {PerSecond: 0.5}: 1, {PerSecond: 5, Burst: 2}: 2, {PerSecond: 1, Burst: 9}: 9} {
		if got := newClient("ci", limits).rate.Burst(); got != want {
			t.Errorf("%+v: %d at once", limits, got)
		}
	}
	c := newClient("ci", Limits{Calls: 1, Streams: 1, PerSecond: 0.001, Burst: 4})
	var ends []func()
	take := func(stream bool) string {
		done, refused, after := c.begin(t.Context(), stream, 0)
		if refused == "" {
			ends = append(ends, done)
		} else if after <= 0 {
			t.Errorf("%s: try again after %v", refused, after)
		}
		return refused
	}
	got := []string{take(false), take(true), take(false), take(true), take(false)}
	want := []string{"", "", "1 calls of this token are in progress", "1 streams of this token are in progress", "too many requests for this token"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, end := range ends {
		end()
	}
	c.rate = nil
	if got := []string{take(false), take(true)}; got[0] != "" || got[1] != "" {
		t.Errorf("after the others have ended: %q", got)
	}
	h := open(t, hello, func(g *Gate) {
		g.opts.Tokens = Authority{single{[]key{{sha256.Sum256([]byte(secret)), newClient("ci", Limits{PerSecond: 0.001})}}}}
	})
	if got := h.ask(http.MethodPost, "/", ""); got.Status != 200 {
		t.Errorf("the first request: %+v", got)
	}
	if got := h.ask(http.MethodPost, "/", ""); got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
		t.Errorf("the second request: %+v", got)
	}
}

// A request that comes when as many of its client are in progress as may be waits for the end of one, in the order in which they
// came, but not for long, and not for a client that has left.
//
// Requirement: HTTP-8.
func TestRequestsWaitForTheirPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const patience = 5 * time.Second
		c := newClient("ci", Limits{Calls: 1, Streams: 1})
		first, refused, _ := c.begin(t.Context(), false, patience)
		if refused != "" {
			t.Fatal(refused)
		}
		told := make(chan string, 3)
		for _, name := range []string{"second", "third"} {
			go func() { // its outcome is received below
				done, refused, _ := c.begin(t.Context(), false, patience)
				if told <- name + refused; refused == "" {
					<-time.After(time.Second)
					done()
				}
			}()
			synctest.Wait() // one after the other
		}
		<-time.After(time.Second)
		first()
		begun := time.Now()
		if got := []string{<-told, <-told}; !slices.Equal(got, []string{"second", "third"}) || time.Since(begun) != time.Second {
			t.Errorf("%q after %v", got, time.Since(begun))
		}
		begun = time.Now()
		done, refused, _ := c.begin(t.Context(), false, patience)
		if refused != "" || time.Since(begun) != time.Second {
			t.Errorf("the fourth: %q after %v", refused, time.Since(begun))
		}
		begun = time.Now()
		if _, refused, after := c.begin(t.Context(), false, patience); refused == "" || after <= 0 || time.Since(begun) != patience {
			t.Errorf("one without a place: %q after %v", refused, time.Since(begun))
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		begun = time.Now()
		if _, refused, _ := c.begin(gone, false, patience); refused == "" || time.Since(begun) != 0 {
			t.Errorf("one that has left: %q after %v", refused, time.Since(begun))
		}
		if stream, refused, _ := c.begin(t.Context(), true, patience); refused != "" {
			t.Errorf("a stream: %q", refused)
		} else {
			stream()
		}
		done()
	})
}

// A token's own rules say something of what they are about, and nothing of all else.
func TestRulesOfAToken(t *testing.T) {
	c := newClient("ci", Limits{})
	c.rules.Rules = []policy.Rule{
		{Match: policy.Match{Operation: []string{"rename"}}, Action: policy.Ask},
		{Match: policy.Match{Class: []string{"edit", "execute"}}, Action: policy.Deny},
	}
	for call, want := range map[[2]string]policy.Action{
		{"rename", "edit"}: policy.Ask, {"edit", "edit"}: policy.Deny, {"test", "execute"}: policy.Deny, {"check", "read"}: "", {"servers", "admin"}: "",
	} {
		d, ok := c.Rule(call[0], call[1])
		if ok != (want != "") || ok && d.Action != want {
			t.Errorf("%v: %t, %+v", call, ok, d)
		}
	}
}

// An authority that cannot say anything lets nobody in, and does not say that the token is wrong.
func TestAuthorityWithoutAnswer(t *testing.T) {
	h := open(t, hello, func(g *Gate) { g.opts.Tokens = Authority{broken{}} })
	if got := h.ask(http.MethodPost, "/", ""); got.Status != http.StatusServiceUnavailable || strings.Contains(got.Body, "key store") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(h.log.String(), "key store") {
		t.Error("nobody is told why")
	}
}

type broken struct{}

func (broken) client(context.Context, string) (admitted, error) {
	return admitted{}, errors.New("the key store does not answer")
}
