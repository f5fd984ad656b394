package registry

import "encoding/json"

// The other languages of the JVM, those of .NET, of Apple and of Flutter.

func jvm() Table {
	gradle := func(best ...string) []string {
		return append(best, "settings.gradle", "settings.gradle.kts", "gradlew", "pom.xml", "build.gradle", "build.gradle.kts")
	}
	return listed(
		Definition{
			ID:        "kotlin-lsp",
			Languages: only("kotlin", ".kt", ".kts"), Group: "kotlin", Rank: 1,
			Commands: stdio("kotlin-lsp"), Roots: gradle(), SingleFile: true,
			Install: []string{homebrew("JetBrains/utils/kotlin-lsp")},
		},
		Definition{
			ID:        "kotlin-language-server",
			Languages: only("kotlin", ".kt", ".kts"), Group: "kotlin", Rank: 2,
			Commands: run("kotlin-language-server"), Roots: gradle(), SingleFile: true,
			Install: []string{homebrew("kotlin-language-server")},
		},
		Definition{
			ID:        "groovy",
			Languages: only("groovy", ".groovy", ".gradle", ".gvy", "Jenkinsfile"),
			Commands:  run("groovy-language-server"), Roots: gradle(), SingleFile: true,
			Optional: true,
			Install:  []string{see("github.com/GroovyLanguageServer/groovy-language-server")},
		},
		// The compiler of the build runs when a file is saved.
		Definition{
			ID:        "metals",
			Languages: only("scala", ".scala", ".sbt", ".sc", ".mill"),
			Commands:  run("metals"),
			Roots:     []string{"build.sbt", "build.mill", "build.sc", "project.scala", "pom.xml", "build.gradle", "build.gradle.kts"}, SingleFile: true,
			InitializationOptions: json.RawMessage(`{"statusBarProvider":"off","isHttpEnabled":false}`),
			Diagnostics:           Diagnostics{NeedsSave: true},
			Install:               []string{"cs install metals"},
		},
		Definition{
			ID:        "clojure-lsp",
			Languages: only("clojure", ".clj", ".cljs", ".cljc", ".cljd", ".bb", ".edn"),
			Commands:  run("clojure-lsp"),
			Roots:     []string{"deps.edn", "project.clj", "shadow-cljs.edn", "bb.edn", "build.boot"}, SingleFile: true,
			Install: []string{homebrew("clojure-lsp/brew/clojure-lsp-native"), see("clojure-lsp.io")},
		},
		Definition{
			ID:        "ballerina",
			Languages: only("ballerina", ".bal"),
			Commands:  run("bal", "start-language-server"), Roots: []string{"Ballerina.toml"}, SingleFile: true,
			Install: []string{see("ballerina.io")},
		},
	)
}

func dotnet() Table {
	projects := func() []string { return []string{"*.slnx", "*.sln", "*.csproj", "global.json"} }
	csharp := func() []Language { return only("csharp", ".cs", ".csx") }
	return listed(
		Definition{
			ID:        "roslyn",
			Languages: csharp(), Group: "csharp", Rank: 1,
			Commands: run("roslyn-language-server", "--stdio", "--autoLoadProjects"), Roots: projects(),
			Diagnostics: pulled(),
			Install:     []string{"dotnet tool install --global roslyn-language-server --prerelease"},
		},
		Definition{
			ID:        "csharp-ls",
			Languages: csharp(), Group: "csharp", Rank: 2,
			Commands: run("csharp-ls"), Roots: projects(),
			Install: []string{"dotnet tool install --global csharp-ls"},
		},
		Definition{
			ID:        "omnisharp",
			Languages: csharp(), Group: "csharp", Rank: 3,
			Commands: []Command{
				{Binary: "OmniSharp", Args: []string{"--languageserver", "--encoding", "utf-8"}},
				{Binary: "omnisharp", Args: []string{"--languageserver", "--encoding", "utf-8"}},
			},
			Roots:   projects(),
			Install: []string{homebrew("omnisharp/omnisharp-roslyn/omnisharp-mono"), see("github.com/OmniSharp/omnisharp-roslyn")},
		},
		Definition{
			ID:        "fsautocomplete",
			Languages: only("fsharp", ".fs", ".fsi", ".fsx", ".fsscript"),
			Commands:  run("fsautocomplete"),
			Roots:     []string{"*.slnx", "*.sln", "*.fsproj", "global.json"}, SingleFile: true,
			InitializationOptions: json.RawMessage(`{"AutomaticWorkspaceInit":true}`),
			Install:               []string{"dotnet tool install --global fsautocomplete"},
		},
	)
}

func mobile() Table {
	return listed(
		Definition{
			ID:        "dart",
			Languages: only("dart", ".dart"),
			Commands:  run("dart", "language-server", "--protocol=lsp"),
			Roots:     []string{"pubspec.yaml", "analysis_options.yaml"}, SingleFile: true,
			Install: []string{see("dart.dev/get-dart")},
		},
		// Objective-C is clangd's.
		Definition{
			ID:        "sourcekit-lsp",
			Languages: only("swift", ".swift"),
			Commands:  run("sourcekit-lsp"),
			Roots:     []string{"Package.swift", "buildServer.json", "*.xcworkspace", "*.xcodeproj", "compile_commands.json"}, SingleFile: true,
			Install: []string{see("swift.org/install")},
		},
	)
}
