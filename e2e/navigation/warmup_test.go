package navigation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// users is how many files use the hub.
const users = 120

// hubs are projects in which every file uses one function, by server; the first
// line of hub is its declaration.
var hubs = map[string]struct{ config, hub, user string }{
	"gopls": {
		"-- go.mod --\nmodule example.com/m\n\ngo 1.24\n",
		"-- hub/hub.go --\npackage hub\n\nfunc Hub(n int) int { return n }\n",
		"-- p%[1]d/p.go --\npackage p\n\nimport \"example.com/m/hub\"\n\nvar V = hub.Hub(%[1]d)\n",
	},
	"typescript": {
		"-- tsconfig.json --\n{\"compilerOptions\":{\"strict\":true,\"noEmit\":true},\"include\":[\"src\"]}\n",
		"-- src/hub.ts --\nexport function hub(n: number) { return n; }\n",
		"-- src/p%[1]d.ts --\nimport * as h from './hub';\nexport const v = h.hub(%[1]d);\n",
	},
	"pyright": {
		"-- pyrightconfig.json --\n{}\n",
		"-- hub.py --\ndef hub(n: int) -> int:\n    return n\n",
		"-- p%[1]d.py --\nimport hub\n\nv = hub.hub(%[1]d)\n",
	},
	"rust-analyzer": {
		"-- Cargo.toml --\n[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"-- src/center.rs --\npub fn hub(n: i32) -> i32 {\n    n\n}\n",
		"-- src/p%[1]d.rs --\nuse crate::center as h;\npub fn v() -> i32 {\n    h::hub(%[1]d)\n}\n",
	},
	"jdtls": {
		"-- .project --\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<projectDescription><name>m</name><buildSpec><buildCommand>" +
			"<name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>" +
			"<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>\n" +
			"-- .classpath --\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<classpath><classpathentry kind=\"src\" path=\"src\"/>" +
			"<classpathentry kind=\"con\" path=\"org.eclipse.jdt.launching.JRE_CONTAINER\"/>" +
			"<classpathentry kind=\"output\" path=\"bin\"/></classpath>\n",
		"-- src/Hub.java --\nclass Hub {\n    static int hub(int n) { return n; }\n}\n",
		"-- src/P%[1]d.java --\nclass P%[1]d {\n    int v = Hub.hub(%[1]d);\n}\n",
	},
	"clangd": {
		"",
		"-- hub.h --\n#pragma once\nint hub(int n);\n",
		"-- p%[1]d.cc --\n#include \"hub.h\"\n#include <stddef.h>\nint v%[1]d = hub(%[1]d);\n",
	},
}

func hubProject(server string) string {
	kind := server
	if server == "typescript-language-server" {
		kind = "typescript"
	}
	h := hubs[kind]
	var b strings.Builder
	b.WriteString(h.config + h.hub)
	for i := range users {
		fmt.Fprintf(&b, h.user, i)
	}
	if server == "rust-analyzer" {
		b.WriteString("-- src/lib.rs --\npub mod center;\n")
		for i := range users {
			fmt.Fprintf(&b, "pub mod p%d;\n", i)
		}
	}
	if server == "clangd" {
		var commands []string
		for i := range users {
			commands = append(commands, fmt.Sprintf(`{"directory":"$ROOT","command":"c++ -std=c++17 -c p%d.cc","file":"p%d.cc"}`, i, i))
		}
		fmt.Fprintf(&b, "-- compile_commands.json --\n[%s]\n", strings.Join(commands, ",\n"))
	}
	return b.String()
}

// The very first question to a server, while it still loads the project, gets
// the whole answer: every use in files that nobody opened.
func TestFirstAnswerIsWhole(t *testing.T) {
	for _, server := range []string{"gopls", "typescript", "typescript-language-server", "pyright", "clangd", "rust-analyzer", "jdtls"} {
		for _, at := range []string{"in the file", "in the workspace"} {
			t.Run(server+" "+at, func(t *testing.T) {
				lsptest.Require(t, server)
				e := begin(t, project{archive: txtar.Parse([]byte(hubProject(server)))}, server)
				request := api.ReferencesRequest{Selector: api.Selector{Symbol: "hub"}}
				if server == "gopls" {
					request.Symbol = "Hub"
				}
				if at == "in the file" {
					request.File = map[string]string{
						"gopls": "hub/hub.go", "pyright": "hub.py", "clangd": "hub.h", "rust-analyzer": "src/center.rs", "jdtls": "src/Hub.java",
					}[server]
					if request.File == "" {
						request.File = "src/hub.ts"
					}
				}
				result, err := api.References.Do(t.Context(), e, request)
				if err != nil {
					t.Fatal(err)
				}
				if server == "rust-analyzer" { // where the machine has no rust-src, it says so each time
					result.State = slices.DeleteFunc(result.State, func(state string) bool { return strings.Contains(state, "rust-src") })
				}
				if result.Total != users || len(result.State) > 0 {
					brief, _ := json.Marshal(result.Head)
					t.Errorf("%d references in %d files (%s), want %d and no state", result.Total, result.FileCount, brief, users)
				}
			})
		}
	}
}
