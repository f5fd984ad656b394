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
	for name, lines := range map[string][]string{
		"kubernetes/haproxy.cfg":  {"balance hash path,field(3,/),url_dec\n"}, // a name of a workspace may be escaped in several ways
		"kubernetes/network.yaml": {"app.kubernetes.io/component: shard\n", "app.kubernetes.io/component: router\n  policyTypes: [Ingress]\n  ingress:\n    - ports:\n        - port: mcp\n"},
		"kubernetes/shards.yaml":  {"- name: tmp\n          emptyDir:\n            sizeLimit: "},
	} {
		for _, line := range lines {
			if !strings.Contains(read(name), line) {
				t.Errorf("%s does not have %q", name, line)
			}
		}
	}
	for _, name := range []string{"Containerfile", "kubernetes/kustomization.yaml", "kubernetes/router.yaml", "kubernetes/shards.yaml"} {
		if regexp.MustCompile(`(?m)(:latest|newTag: *"?latest"?)$`).MatchString(read(name)) {
			t.Errorf("%s: the tag latest is another image tomorrow", name)
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
