package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What deploy/ says of us is true: the flags exist, probes ask for what is served, and the router knows as many shards as there are.
func TestDeployedAsWeAre(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	shards, router := read("kubernetes/shards.yaml"), read("kubernetes/haproxy.cfg")
	flags := newMCP(&Streams{}, &global{}).Flags()
	for _, name := range []string{"Containerfile", "systemd/lspine.service", "kubernetes/shards.yaml"} {
		text := read(name)
		at := strings.Index(text, "--http")
		if at < 0 {
			t.Errorf("%s does not serve over HTTP", name)
			continue
		}
		for _, flag := range regexp.MustCompile(`--([a-z][a-z-]+)`).FindAllStringSubmatch(text[at:], -1) {
			if flags.Lookup(flag[1]) == nil {
				t.Errorf("%s: lspine mcp has no flag --%s", name, flag[1])
			}
		}
	}
	// A credential of systemd would be a copy from when the service started: no token could be taken back.
	service := read("systemd/lspine.service")
	for _, line := range []string{
		"#   install -o root -g lspine -m 0440 tokens.json /etc/lspine/tokens.json ", "\nGroup=lspine\n", " --token-file /etc/lspine/tokens.json ", "\nReadOnlyPaths=/etc/lspine\n",
	} {
		if !strings.Contains(service, line) {
			t.Errorf("lspine.service does not have %q", line)
		}
	}
	for _, probe := range regexp.MustCompile(`path: (\S+)`).FindAllStringSubmatch(shards, -1) {
		if !slices.Contains([]string{"/health", "/ready"}, probe[1]) {
			t.Errorf("shards are asked for %s", probe[1])
		}
	}
	replicas := regexp.MustCompile(`replicas: (\d+)`).FindStringSubmatch(shards)
	servers := regexp.MustCompile(`(?m)^ +server lspine-\d+ `).FindAllString(router, -1)
	if replicas == nil || replicas[1] != strconv.Itoa(len(servers)) {
		t.Errorf("%v shards, the router knows %d", replicas, len(servers))
	}
}
