package registry

import "encoding/json"

// Servers that compile a whole project: what they say of one file is not all.

// rustAnalyzerSettings: cargo checks when we say so, and only then, so that the
// end of a check is the end of ours; and in a folder of its own, so that it does
// not wait for the cargo of whoever works there. Each publish is a task of its worker
// threads: with more than one, a publish could overtake a later one, or come after the answer
// to a later request.
const rustAnalyzerSettings = `{"checkOnSave":false,"cargo":{"targetDir":true},"numThreads":1}`

// syntaxErrorOfRust matches the code of an error that no crate and no library can be the reason of.
const syntaxErrorOfRust = "^syntax-error$"

func rustAnalyzer() Definition {
	return Definition{
		ID:        "rust-analyzer",
		Tells:     []string{"rust-analyzer"},
		Languages: []Language{{"rust", []string{".rs"}}},
		Commands:  []Command{{Binary: "rust-analyzer"}, {Binary: "rust-web-analyzer"}},
		// The lock is in the root of a workspace, a Cargo.toml in each of its crates.
		Roots:                 []string{"Cargo.lock", "Cargo.toml", "rust-project.json"},
		Sharing:               TakesFolders,
		Role:                  Primary,
		Env:                   []string{"RUSTUP_AUTO_INSTALL=0"}, // a toolchain file is no reason to download one
		InitializationOptions: json.RawMessage(rustAnalyzerSettings),
		Settings:              json.RawMessage(`{"rust-analyzer":` + rustAnalyzerSettings + `}`),
		Experimental:          json.RawMessage(`{"serverStatusNotification":true}`),
		ReadBack:              "rust-analyzer/viewFileText",
		Loading:               []string{"Fetching", "Building", "Roots Scanned", "Loading", "Indexing"},
		Readiness: &Readiness{
			Method: "experimental/serverStatus", Member: "quiescent", Value: "true",
			Trouble: `cargo check failed|Failed to load workspaces|Failed to discover workspace|Failed to read Cargo metadata with dependencies for \x60`,
		},
		Diagnostics: Diagnostics{
			Strategies:   []Strategy{Pull},
			AnnouncePull: true,
			FullReports:  true,
			Unjudged:     map[string]string{"unlinked-file": "the file is in no crate"},
			Disk: &DiskCheck{
				Method: "rust-analyzer/runFlycheck", Params: json.RawMessage(`{"textDocument":null}`), Title: "cargo check",
				Each: "rust-analyzer/analyzerStatus", Number: `across (\d+) workspaces?`,
				NamesCrates: true, Sure: syntaxErrorOfRust,
				Whole: true, Lacks: "cargo checks only what is on disk: the borrow checker and others are missing",
			},
			ClosedFiles: ClosedPushes,
		},
		Lines:   byNewline(),
		Quirks:  []Quirk{CountsBytes},
		Wording: rustWording,
		Install: []string{"rustup component add rust-analyzer", "apt-get install rust-web-analyzer"},
		Tested:  CI,
	}
}

// JavaOptions stands in a variable for what the user has it set to.
const JavaOptions = "${JDK_JAVA_OPTIONS}"

const jdtlsSettings = `{"java":{"autobuild":{"enabled":false},"project":{"resourceFilters":"` + EclipseFilters + `"},` +
	`"symbols":{"includeSourceMethodDeclarations":true},` +
	`"inlayHints":{"parameterNames":{"enabled":"all"}}}}`

// javaBuildFiles are the files of Maven and Gradle: first those for which jdtls publishes what is
// wrong with a project.
var javaBuildFiles = []string{
	"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts",
	"gradle.properties", "libs.versions.toml", "gradle-wrapper.properties",
}

func jdtls() Definition {
	return Definition{
		ID:        "jdtls",
		Tells:     []string{"java.project.refreshDiagnostics"},
		Languages: []Language{{"java", []string{".java"}}},
		Commands:  []Command{{Binary: "jdtls", Args: []string{"-data", StateFolder}}},
		Roots: []string{
			"settings.gradle", "settings.gradle.kts", "gradlew", "mvnw", "pom.xml", "build.gradle", "build.gradle.kts", ".project",
		},
		Manifests: []string{".classpath"},
		// When these change it asks whether to load the project again, and goes on with the old one.
		Anew:      javaBuildFiles,
		RenewedBy: javaBuildFiles,
		// Else it writes .project, .classpath and .settings into the project.
		Env:        []string{"JDK_JAVA_OPTIONS=" + JavaOptions + " -Djava.import.generatesMetadataFilesAtProjectRoot=false"},
		SingleFile: true,
		// A folder that comes later may be taken for one without a project, and projects
		// of one name cannot be in one process.
		Sharing: Connected,
		Role:    Primary,
		// What it builds by itself it tells nobody the end of. It asks for no settings, and
		// of the folders at its start reads only these.
		InitializationOptions: json.RawMessage(`{"workspaceFolders":"${folders}","extendedClientCapabilities":{"classFileContentsSupport":true},"settings":` + jdtlsSettings + `}`),
		Settings:              json.RawMessage(jdtlsSettings),
		Readiness:             &Readiness{Method: "language/status", Member: "type", Value: `"ServiceReady"`, Lasts: true, Trouble: `Failed to import projects|Initialization failed`},
		Diagnostics: Diagnostics{
			Strategies: []Strategy{DiagnosisCommand},
			Commands: []CommandCall{{
				Command:   "java.project.refreshDiagnostics",
				Arguments: []json.RawMessage{json.RawMessage(`"${uri}"`), json.RawMessage(`"thisFile"`), json.RawMessage(`false`)},
				Result:    ResultPublished,
			}},
			Hides: map[string]string{"536871240": "jdtls finds a class by its folder, javac by its package: what uses those of this file may be broken"},
			Disk: &DiskCheck{
				Method: "java/buildWorkspace", Params: json.RawMessage(`false`), Saves: true,
				// While another job of its own is at work in the workspace, it publishes after the answer.
				List: &DiskList{Clean: "1", Broken: "2", Logged: `(?ms)^ message: (?P<message>.*?); code: -?[0-9]+; resource: (?P<file>[^\n]*?); line: -?[0-9]+$`},
			},
			ClosedFiles:  ClosedPushes,
			ProjectFiles: javaBuildFiles[:5],
		},
		Lines:    byLSP(),
		Quirks:   []Quirk{DiagnoseChanged, WholeChanges, JudgesSaved, PlacesByFirst, AnswersMoves, RenamesLess},
		Symptoms: javaSymptoms,
		Virtual:  []Virtual{{"jdt", "java/classFileContents", json.RawMessage(`{"uri":"${uri}"}`)}},
		Install:  []string{"brew install jdtls", "see https://github.com/eclipse-jdtls/eclipse.jdt.ls"},
		Tested:   CI,
	}
}
