package registry

import "encoding/json"

// Builds, containers, clouds and the descriptions of interfaces.

func builds() Table {
	return listed(
		Definition{
			ID: "neocmake", Languages: only("cmake", ".cmake", "CMakeLists.txt"), Group: "cmake", Rank: 1,
			Commands: run("neocmakelsp", "stdio"), Roots: []string{".neocmake.toml", "CMakePresets.json"}, SingleFile: true, Optional: true,
			Install: []string{cargo("neocmakelsp"), homebrew("neocmakelsp")},
		},
		Definition{
			ID: "cmake-language-server", Languages: only("cmake", ".cmake", "CMakeLists.txt"), Group: "cmake", Rank: 2,
			Commands: run("cmake-language-server"), Roots: []string{"CMakePresets.json"}, SingleFile: true, Optional: true,
			InitializationOptions: json.RawMessage(`{"buildDirectory":"build"}`),
			Install:               []string{pip("cmake-language-server")},
		},
		Definition{
			ID: "meson", Languages: only("meson", "meson.build", "meson_options.txt", "meson.options"), Commands: run("mesonlsp", "--lsp"),
			Roots: []string{"meson.build"}, Optional: true,
			Install: []string{homebrew("mesonlsp"), see("github.com/JCWasmx86/mesonlsp")},
		},
		Definition{
			ID: "starpls", Languages: only("starlark", ".bzl", ".star", ".bazel", "BUILD", "WORKSPACE", "BUCK", "Tiltfile"),
			Commands: run("starpls", "server"), Roots: []string{"MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", ".buckconfig"}, SingleFile: true, Optional: true,
			Install: []string{homebrew("withered-magic/brew/starpls"), see("github.com/withered-magic/starpls")},
		},
		Definition{
			ID: "just", Languages: only("just", "justfile", "Justfile", "[.]justfile", ".just"), Commands: run("just-lsp"), SingleFile: true, Optional: true,
			Install: []string{cargo("just-lsp")},
		},
		Definition{
			ID: "nixd", Languages: only("nix", ".nix"), Group: "nix", Rank: 1, Commands: run("nixd"),
			Roots: []string{"flake.nix", "default.nix", "shell.nix"}, SingleFile: true,
			Install: []string{"nix profile install nixpkgs#nixd"},
		},
		Definition{
			ID: "nil", Languages: only("nix", ".nix"), Group: "nix", Rank: 2, Commands: run("nil"),
			Roots: []string{"flake.nix", "default.nix", "shell.nix"}, SingleFile: true,
			Install: []string{"nix profile install nixpkgs#nil"},
		},
	)
}

// composeFiles are also YAML, which another server knows; that one navigates.
func composeFiles() []Language {
	return only("dockercompose", "compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "docker-compose.*.yaml", "docker-compose.*.yml")
}

func containers() Table {
	return listed(
		Definition{
			ID:        "dockerfile",
			Languages: only("dockerfile", "Dockerfile", "Dockerfile.*", "Containerfile", "Containerfile.*", ".dockerfile", ".Dockerfile"),
			Commands:  stdio("docker-langserver"), SingleFile: true, Optional: true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("dockerfile-language-server-nodejs"),
		},
		Definition{
			ID: "docker-compose", Languages: composeFiles(), Commands: stdio("docker-compose-langserver"), SingleFile: true,
			Role: DiagnosticsOnly, Optional: true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("@microsoft/compose-language-service"),
		},
		Definition{
			ID: "helm", Languages: []Language{language("helm", ".yaml", ".yml", ".tpl")}, Group: "yaml", Rank: 1,
			Commands: run("helm_ls", "serve"), Roots: []string{"Chart.yaml"}, Requires: []string{"Chart.yaml"}, Optional: true,
			Install: []string{homebrew("helm-ls"), see("github.com/mrjosh/helm-ls/releases")},
		},
		Definition{
			ID: "ansible", Languages: only("ansible", ".yml", ".yaml"), Commands: stdio("ansible-language-server"),
			Roots: []string{"ansible.cfg", ".ansible-lint"}, Requires: []string{"ansible.cfg", ".ansible-lint"}, Role: DiagnosticsOnly, Optional: true,
			Settings: json.RawMessage(`{"ansible":{"ansible":{"path":"ansible"},"validation":{"enabled":true,"lint":{"enabled":false}},` +
				`"python":{"interpreterPath":"python3"},"executionEnvironment":{"enabled":false}}}`),
			Helper:      &Helper{Program: "ansible-playbook", Next: "pip install ansible"},
			Diagnostics: touched(),
			Install:     npm("@ansible/ansible-language-server"),
		},
		Definition{
			ID: "azure-pipelines", Languages: only("azure-pipelines", "azure-pipelines.yml", "azure-pipelines.yaml"),
			Commands: stdio("azure-pipelines-language-server"), SingleFile: true, Role: DiagnosticsOnly, Optional: true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     npm("azure-pipelines-language-server"),
		},
		Definition{
			ID: "gitlab-ci", Languages: only("yaml", "[.]gitlab-ci.yml", ".gitlab-ci.yml"), Commands: run("gitlab-ci-ls"), SingleFile: true,
			Role: DiagnosticsOnly, Optional: true,
			Install: []string{cargo("gitlab-ci-ls"), homebrew("alesbrelih/gitlab-ci-ls/gitlab-ci-ls")},
		},
		Definition{
			ID: "nginx", Languages: only("nginx", "nginx.conf", ".nginx"), Commands: run("nginx-language-server"), SingleFile: true, Optional: true,
			Install: []string{pip("nginx-language-server")},
		},
		Definition{
			ID: "puppet", Languages: only("puppet", ".pp", ".epp"), Commands: stdio("puppet-languageserver"),
			Roots: []string{"metadata.json", "hiera.yaml", ".puppet-lint.rc"}, SingleFile: true,
			Install: []string{see("github.com/puppetlabs/puppet-editor-services")},
		},
	)
}

func clouds() Table {
	return append(listed(
		// It validates what was saved, after "terraform init".
		Definition{
			ID: "terraform", Languages: []Language{language("terraform", ".tf"), language("terraform-vars", ".tfvars")}, Group: "terraform", Rank: 1,
			Commands: run("terraform-ls", "serve"), Roots: []string{".terraform", ".terraform.lock.hcl"}, SingleFile: true,
			InitializationOptions: json.RawMessage(`{"experimentalFeatures":{"validateOnSave":true}}`),
			Diagnostics:           Diagnostics{NeedsSave: true},
			Install:               []string{homebrew("hashicorp/tap/terraform-ls")},
		},
		Definition{
			ID: "tofu", Languages: []Language{language("opentofu", ".tofu"), language("terraform", ".tf"), language("terraform-vars", ".tfvars")},
			Group: "terraform", Rank: 2,
			Commands: run("tofu-ls", "serve"), Roots: []string{".terraform", ".terraform.lock.hcl"}, SingleFile: true,
			Diagnostics: Diagnostics{NeedsSave: true},
			Install:     []string{homebrew("tofu-ls"), "go install github.com/opentofu/tofu-ls@latest"},
		},
		Definition{
			ID: "rego", Languages: only("rego", ".rego"), Commands: []Command{{Binary: "regal", Args: []string{"language-server"}}, {Binary: "regols"}},
			Roots: []string{".regal", ".manifest"}, SingleFile: true,
			Install: []string{homebrew("regal")},
		},
	), linters(
		Definition{
			ID: "tflint", Languages: only("terraform", ".tf"), Commands: run("tflint", "--langserver"), Requires: []string{".tflint.hcl"},
			Anew:        []string{".tflint.hcl"},
			Diagnostics: touched(),
			Tested:      CI,
			Install:     []string{homebrew("tflint"), "go install github.com/terraform-linters/tflint@latest"},
		},
		Definition{
			ID: "golangci-lint", Languages: only("go", ".go"), Commands: run("golangci-lint-langserver"),
			Requires:              []string{".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"},
			Roots:                 []string{"go.work", "go.mod", ".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"},
			InitializationOptions: json.RawMessage(`{"command":["golangci-lint","run","--output.json.path","stdout","--show-stats=false","--issues-exit-code=1"]}`),
			Helper:                &Helper{Program: "golangci-lint", Setting: "command", Next: "go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest"},
			Diagnostics:           Diagnostics{NeedsSave: true}, // it runs the linters on what is on disk
			Optional:              true,
			Install:               []string{"go install github.com/nametake/golangci-lint-langserver@latest"},
		},
	)...)
}

func interfaces() Table {
	return listed(
		Definition{
			ID: "buf", Languages: only("proto", ".proto"), Group: "protobuf", Rank: 1,
			Commands: run("buf", "lsp", "serve"), Roots: []string{"buf.work.yaml", "buf.yaml"}, SingleFile: true,
			Anew:        []string{"buf.work.yaml", "buf.yaml", "buf.lock"},
			Diagnostics: touched(),
			Tested:      CI,
			Install:     append(npm("@bufbuild/buf"), homebrew("bufbuild/buf/buf")),
		},
		Definition{
			ID: "protols", Languages: only("proto", ".proto"), Group: "protobuf", Rank: 2,
			Commands: run("protols"), Roots: []string{"protols.toml"}, SingleFile: true,
			Install: []string{cargo("protols")},
		},
		Definition{
			ID: "protobuf-language-server", Languages: only("proto", ".proto"), Group: "protobuf", Rank: 3,
			Commands: run("protobuf-language-server", "-stdio"), SingleFile: true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     []string{"go install github.com/lasorda/protobuf-language-server@latest"},
		},
		// It starts gopls, which must be found as well, for the Go that it generates.
		Definition{
			ID: "templ", Languages: only("templ", ".templ"), Commands: run("templ", "lsp"), Roots: []string{"go.work", "go.mod"},
			Diagnostics: touched(),
			Tested:      CI,
			Install:     []string{"go install github.com/a-h/templ/cmd/templ@latest"},
		},
		Definition{
			ID: "cue", Languages: only("cue", ".cue"), Commands: run("cue", "lsp"), Roots: []string{"cue.mod"}, SingleFile: true,
			InitializationOptions: json.RawMessage(`{"diagnosticsDelay":"0s"}`),
			Diagnostics:           provoked("]"), Tested: CI,
			Install: []string{"go install cuelang.org/go/cmd/cue@latest"},
		},
		Definition{
			ID: "jsonnet", Languages: only("jsonnet", ".jsonnet", ".libsonnet"), Commands: run("jsonnet-language-server", "--lint"),
			Roots: []string{"jsonnetfile.json"}, SingleFile: true,
			Install: []string{homebrew("jsonnet-language-server"), "go install github.com/grafana/jsonnet-language-server@latest"},
		},
		Definition{
			ID: "dhall", Languages: only("dhall", ".dhall"), Commands: run("dhall-lsp-server"), SingleFile: true,
			Install: []string{homebrew("dhall-lsp-server"), "cabal install dhall-lsp-server"},
		},
		Definition{
			ID: "pkl", Languages: only("pkl", ".pkl", ".pcf", "PklProject"), Commands: run("pkl-lsp"), Roots: []string{"PklProject"}, SingleFile: true,
			Install: []string{see("pkl-lang.org/lsp")},
		},
		Definition{
			ID: "kcl", Languages: only("kcl", ".k"), Commands: run("kcl-language-server"), Roots: []string{"kcl.mod"}, SingleFile: true,
			Install: []string{homebrew("kcl-lang/tap/kcl-lsp")},
		},
		Definition{
			ID: "thrift", Languages: only("thrift", ".thrift"), Commands: run("thriftls"), SingleFile: true,
			Install: []string{"go install github.com/joyme123/thrift-ls@latest"},
		},
	)
}
