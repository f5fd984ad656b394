package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const fleetToken = "token-of-the-fleet"

// A fleet is a few servers of the same workspaces, and a router as deploy/kubernetes/haproxy.cfg describes one: what follows /w/
// decides which of those that answer serves it, and what no server has begun goes to another one.
type fleet struct {
	t      *testing.T
	root   string
	names  []string
	router *httptest.Server
	begun  sync.WaitGroup // the readers of standard error

	mu     sync.Mutex
	shards []*shard
	served map[string][]int // by workspace: the shards that served its requests
}

type shard struct {
	cmd *exec.Cmd
	url *url.URL // nil if it does not run
}

// newFleet starts servers of workspaces of Go: folders below one root, which all of them see.
func newFleet(t *testing.T, servers int, names ...string) *fleet {
	f := &fleet{t: t, root: t.TempDir(), names: names, served: make(map[string][]int)}
	for _, name := range names {
		f.write(name+"/go.mod", "module "+name+"\n\ngo 1.24\n")
		f.write(name+"/lib.go", "package "+name+"\n\nfunc Load() string { return \"\" }\n")
		f.write(name+"/use.go", "package "+name+"\n\nvar loaded string = Load()\n")
	}
	f.router = httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {}, Transport: f})
	for range servers {
		f.shards = append(f.shards, &shard{})
	}
	for i := range f.shards {
		f.start(i)
	}
	t.Cleanup(func() {
		f.router.Close()
		for i := range f.shards {
			f.end(i, syscall.SIGTERM)
		}
		f.begun.Wait()
	})
	return f
}

func (f *fleet) write(name, text string) {
	f.t.Helper()
	lsptest.WriteFile(f.t, filepath.Join(f.root, filepath.FromSlash(name)), text)
}

// start starts a server that does not run.
func (f *fleet) start(i int) {
	f.t.Helper()
	args := []string{"mcp", "--http", "--rpc", "--port", "0"}
	for _, name := range f.names {
		args = append(args, "--workspace", name+"="+filepath.Join(f.root, name))
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = f.root
	cmd.Env = append(os.Environ(), beLSPine+"=1", "LSPINE_DAEMON=never", "LSPINE_TRUST=always", "LSPINE_TOKEN="+fleetToken, "XDG_CACHE_HOME="+f.t.TempDir())
	stderr, err := cmd.StderrPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	at := make(chan string, 1)
	f.begun.Go(func() {
		defer close(at)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if _, address, ok := strings.Cut(lines.Text(), "serving MCP at "); ok {
				at <- strings.TrimSuffix(address, "/mcp")
			}
		}
	})
	address, ok := <-at
	if !ok {
		f.t.Fatalf("server %d has no address: %v", i, cmd.Wait())
	}
	u, err := url.Parse(address)
	if err != nil {
		f.t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	*f.shards[i] = shard{cmd, u}
}

// end sends a server a signal, if it runs, and waits until it has ended.
func (f *fleet) end(i int, signal syscall.Signal) {
	f.mu.Lock()
	s := *f.shards[i]
	f.mu.Unlock()
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(signal) // it may have ended
	_ = s.cmd.Wait()                 // by a signal
	f.mu.Lock()
	defer f.mu.Unlock()
	*f.shards[i] = shard{}
}

// ranked returns the servers in the order in which they are tried for a workspace: another one only if those before it do not
// answer.
func (f *fleet) ranked(workspace string) []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var order []int
	weight := func(i int) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %d", workspace, i)
		return h.Sum64()
	}
	for i := range f.shards {
		at := 0
		for at < len(order) && weight(order[at]) > weight(i) {
			at++
		}
		order = append(order[:at], append([]int{i}, order[at:]...)...)
	}
	return order
}

// RoundTrip sends a request to the server of its workspace.
func (f *fleet) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	workspace := strings.Split(r.URL.Path, "/")[2]
	for _, i := range f.ranked(workspace) {
		f.mu.Lock()
		to := f.shards[i].url
		f.mu.Unlock()
		if to == nil {
			continue
		}
		request := r.Clone(r.Context())
		request.URL.Scheme, request.URL.Host, request.Host = to.Scheme, to.Host, to.Host
		request.Body = io.NopCloser(bytes.NewReader(body))
		answer, err := http.DefaultTransport.RoundTrip(request)
		var unreached *os.SyscallError
		switch {
		case errors.As(err, &unreached) && unreached.Syscall == "connect":
			continue
		case err == nil && answer.StatusCode == http.StatusServiceUnavailable:
			_ = answer.Body.Close() // another one answers
			continue
		case err != nil:
			return nil, err
		}
		f.mu.Lock()
		f.served[workspace] = append(f.served[workspace], i)
		f.mu.Unlock()
		return answer, nil
	}
	return nil, errors.New("no server answers")
}

// check returns the verdict about all of a workspace, and the server that gave it.
func (f *fleet) check(workspace string) (verdict string, server int) {
	f.t.Helper()
	const call = `{"jsonrpc":"2.0","id":1,"method":"lspine/check","params":{"files":["lib.go","use.go"],"timeout_ms":120000}}`
	request, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.router.URL+"/w/"+workspace+"/rpc", strings.NewReader(call))
	if err != nil {
		f.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+fleetToken)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		f.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var said struct {
		Result result.Check
		Error  json.RawMessage
	}
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil || said.Error != nil {
		f.t.Fatalf("%s: %s: %v %s", workspace, answer.Status, err, said.Error)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	served := f.served[workspace]
	return said.Result.Verdict, served[len(served)-1]
}

// A fleet of three, two of which end: one is killed, one is asked to end and drains. Its workspaces move to others, which know
// nothing of them, and the others stay where they are. What is wrong with the code is the same whoever answers, also when it changed
// while nobody ran; and a server that comes back has its workspaces again.
func TestFleetThatLosesShards(t *testing.T) {
	lsptest.Require(t, "gopls")
	f := newFleet(t, 3, "ada", "bea", "cid", "dan")
	want := make(map[string]string)
	is := func(when string) (servers map[string]int) {
		t.Helper()
		got := make(map[string]string)
		servers = make(map[string]int)
		for _, name := range f.names {
			got[name], servers[name] = f.check(name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
		return servers
	}
	for _, name := range f.names {
		want[name] = result.Clean
	}
	first := is("at first")
	lost := first["ada"]
	f.write("ada/lib.go", "package ada\n\nfunc Load() int { return 0 }\n")
	want["ada"] = result.NewErrors
	if second := is("ada is broken"); !cmp.Equal(first, second) {
		t.Errorf("without need, workspaces moved: %v, then %v", first, second)
	}
	f.end(lost, syscall.SIGKILL)
	f.write("bea/use.go", "package bea\n\nvar loaded int = Load()\n")
	want["bea"] = result.NewErrors
	moved := is("its server is killed")
	for name, server := range moved {
		if first[name] != lost && server != first[name] || server == lost {
			t.Errorf("%s moved from %d to %d; %d is lost", name, first[name], server, lost)
		}
	}
	f.write("ada/lib.go", "package ada\n\nfunc Load() string { return \"\" }\n")
	want["ada"] = result.Clean
	is("ada is mended elsewhere")
	f.end(moved["ada"], syscall.SIGTERM)
	is("a second server ended")
	f.start(moved["ada"])
	f.write("bea/use.go", "package bea\n\nvar loaded string = Load()\n")
	want["bea"] = result.Clean
	f.start(lost)
	if last := is("all are back"); !cmp.Equal(first, last) {
		t.Errorf("at first %v, at last %v", first, last)
	}
}
