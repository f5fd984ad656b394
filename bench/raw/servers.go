package raw

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Spec is what the client knows about one server.
type Spec struct {
	// ID is the server's name in LSPine's registry.
	ID      string
	Command string
	Args    []string
	// LanguageID is sent with didOpen.
	LanguageID            string
	InitializationOptions object
	// Settings answer workspace/configuration by section.
	Settings object
	// AnnouncePull offers textDocument/diagnostic. A server that is not going to
	// be pulled must not hear of it: many stop pushing.
	AnnouncePull     bool
	AnnounceProgress bool
	// Experimental are capabilities of ours beside the protocol's.
	Experimental object
	// Saves writes each new text to the file, and says so: the server judges what is
	// on disk.
	Saves bool
	// OpenOnly says that it answers for open files alone: of others it says nothing.
	OpenOnly bool
	// Rest is how long the server is still busy with an edit after it said all about
	// it: whoever is measured beside it meanwhile is measured wrongly.
	Rest time.Duration
	// VersionArgs make the command print its version.
	VersionArgs []string
	// Install tells a person how to get it.
	Install string

	fits     func(binary string) error
	complete complete
	// ready, if not nil, recognises the notification before which nothing that the
	// server says counts.
	ready func(method string, params json.RawMessage) bool
}

// complete sends a change of file and returns its diagnostics when the server
// has no more to say. kind is "opened" or "changed".
type complete func(ctx context.Context, c *Client, file, kind string, send func() error) (Diagnostics, error)

// Specs are the servers this client knows.
func Specs() []Spec {
	return append([]Spec{
		{
			ID: "gopls", Command: "gopls", LanguageID: "go",
			// At 0s the only publish for a version is the last one, and the
			// progress ends after the whole workspace was diagnosed.
			InitializationOptions: object{"diagnosticsDelay": "0s", "verboseWorkDoneProgress": true},
			Settings: object{
				"gopls": object{"diagnosticsDelay": "0s", "verboseWorkDoneProgress": true},
			},
			AnnounceProgress: true,
			VersionArgs:      []string{"version"},
			Install:          "scripts/servers gopls",
			complete:         byProgress,
		},
		{
			ID: "typescript", Command: "tsc", Args: []string{"--lsp", "--stdio"}, LanguageID: "typescript",
			AnnouncePull: true,
			VersionArgs:  []string{"--version"},
			Install:      "scripts/servers typescript",
			fits:         isTypeScript7,
			complete:     byPull,
		},
		{
			ID: "typescript-language-server", Command: "typescript-language-server", Args: []string{"--stdio"},
			LanguageID: "typescript",
			// A second tsserver for syntax doubles the work of a cold start, and
			// acquiring typings asks the network for what diagnostics do not need.
			InitializationOptions: object{
				"disableAutomaticTypingAcquisition": true,
				"tsserver":                          object{"useSyntaxServer": "never"},
			},
			VersionArgs: []string{"--version"},
			Install:     "scripts/servers typescript-language-server",
			complete:    byTSServer,
		},
		{
			ID: "pyright", Command: "pyright-langserver", Args: []string{"--stdio"}, LanguageID: "python",
			Settings: object{
				"python": object{"analysis": object{"diagnosticMode": "openFilesOnly", "autoSearchPaths": true}},
			},
			AnnouncePull: true, OpenOnly: true,
			Install:  "scripts/servers pyright",
			complete: byPull,
		},
		{
			ID: "clangd", Command: "clangd", Args: []string{"--background-index"}, LanguageID: "cpp",
			VersionArgs: []string{"--version"},
			Install:     "scripts/servers clangd",
			complete:    byBarrier,
		},
	}, compiling()...)
}

// compiling are the servers that compile, and the linter beside another.
func compiling() []Spec {
	return []Spec{
		{
			ID: "rust-analyzer", Command: "rust-analyzer", LanguageID: "rust",
			// cargo's word is all there is to say; what the server knows by itself
			// is a part of it, in other words, and is left to pulls, which nobody sends.
			InitializationOptions: object{"checkOnSave": false, "cargo": object{"targetDir": true}},
			Settings:              object{"rust-analyzer": object{"checkOnSave": false, "cargo": object{"targetDir": true}}},
			Experimental:          object{"serverStatusNotification": true},
			AnnouncePull:          true, AnnounceProgress: true, Saves: true,
			VersionArgs: []string{"--version"},
			Install:     "scripts/servers rust-analyzer",
			complete:    byCargo,
			ready: func(method string, params json.RawMessage) bool {
				var status struct{ Quiescent bool }
				return method == "experimental/serverStatus" && json.Unmarshal(params, &status) == nil && status.Quiescent
			},
		},
		{
			ID: "jdtls", Command: "jdtls", Args: []string{"-data", dataFolder}, LanguageID: "java",
			// What it builds by itself takes the time of what is asked.
			InitializationOptions: object{"settings": object{"java": object{"autobuild": object{"enabled": false}}}},
			Install:               "scripts/servers jdtls",
			Rest:                  time.Second, // it validates once more after 400 ms
			complete:              byRefresh,
			ready: func(method string, params json.RawMessage) bool {
				var status struct{ Type string }
				return method == "language/status" && json.Unmarshal(params, &status) == nil && status.Type == "ServiceReady"
			},
		},
		{
			ID: "eslint", Command: "vscode-eslint-language-server", Args: []string{"--stdio"}, LanguageID: "javascript",
			// Without an object of this form it says nothing.
			Settings: object{"": object{
				"validate": "on", "run": "onType", "packageManager": "npm", "useESLintClass": true, "experimental": object{},
				"codeActionOnSave": object{"enable": false, "mode": "all"}, "format": false, "quiet": false, "onIgnoredFiles": "off",
				"options": object{}, "rulesCustomizations": []any{}, "problems": object{"shortenToSingleLine": false}, "nodePath": nil,
				"workingDirectory": object{"mode": "location"},
				"codeAction": object{
					"disableRuleComment": object{"enable": true, "location": "separateLine"}, "showDocumentation": object{"enable": true},
				},
			}},
			AnnouncePull: true,
			Install:      "scripts/servers eslint",
			complete:     byPull,
		},
	}
}

// dataFolder in the arguments of a server is a folder beside the project, the same
// each time.
const dataFolder = "{data}"

// Plain is how most clients use a server: as it comes, waiting for what it publishes.
func (s Spec) Plain() Spec {
	if s.ID != "eslint" { // it says nothing without
		s.InitializationOptions, s.Settings = nil, nil
	}
	s.AnnouncePull, s.AnnounceProgress = false, false
	s.complete = byQuiet
	return s
}

// Everywhere is the fastest way to the diagnostics of the edited file and of those
// that use it, of a server that tells these apart.
func (s Spec) Everywhere() Spec {
	if s.ID == "jdtls" {
		s.Saves, s.complete = true, byBuild
	}
	return s
}

// EditedFileOnly is the fastest way to the diagnostics of the edited file when
// nobody wants to know about others. A pulled gopls need not diagnose the whole
// workspace first, and is told not to do that after each change: it would run
// beside the pull, and beside whatever is measured next.
func (s Spec) EditedFileOnly() Spec {
	if s.ID != "gopls" {
		return s
	}
	options := object{"pullDiagnostics": true, "diagnosticsTrigger": "Save"}
	s.InitializationOptions = options
	s.Settings = object{"gopls": options}
	s.AnnounceProgress = false
	s.AnnouncePull = true
	s.complete = byPull
	return s
}

// Find returns the server's executable on PATH.
func (s Spec) Find() (string, error) {
	binary, err := exec.LookPath(s.Command)
	if err == nil && s.fits != nil {
		err = s.fits(binary)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w; install it with `%s` and put .tools/bin first on PATH", s.ID, err, s.Install)
	}
	return filepath.Abs(binary)
}

// Version is what the server says of itself, in one line.
func (s Spec) Version(ctx context.Context) (string, error) {
	binary, err := s.Find()
	if err != nil {
		return "", err
	}
	if s.VersionArgs == nil {
		return packageVersion(binary)
	}
	out, err := exec.CommandContext(ctx, binary, s.VersionArgs...).Output()
	if err != nil {
		return "", fmt.Errorf("the version of %s: %w", s.ID, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line), nil
}

// isTypeScript7 tells the tsc that serves LSP from the older one of the same
// name, without running either.
func isTypeScript7(binary string) error {
	version, err := packageVersion(binary)
	if err != nil {
		return err
	}
	name, number, _ := strings.Cut(version, " ")
	major, _, _ := strings.Cut(number, ".")
	if n, err := strconv.Atoi(major); err != nil || n < 7 || name != "typescript" {
		return fmt.Errorf("%s belongs to %s, not to TypeScript 7", binary, version)
	}
	return nil
}

// packageVersion is the "name version" of the npm package that binary is in, or that
// was installed for it.
func packageVersion(binary string) (string, error) {
	resolved, err := filepath.EvalSymlinks(binary)
	if err != nil {
		return "", err
	}
	for dir := filepath.Dir(resolved); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			continue
		}
		var manifest struct {
			Name, Version string
			Dependencies  map[string]string
		}
		if json.Unmarshal(data, &manifest) != nil {
			continue
		}
		if manifest.Version != "" {
			return manifest.Name + " " + manifest.Version, nil
		}
		if len(manifest.Dependencies) == 1 { // a script around what was installed for it
			for name, version := range manifest.Dependencies {
				return name + " " + version, nil
			}
		}
	}
	return "", fmt.Errorf("%s is in no npm package", resolved)
}

// at returns what is at a dotted path, nil (which is null: nothing set) if
// nothing is.
func (o object) at(section string) any {
	var value any = o
	for name := range strings.SplitSeq(section, ".") {
		inner, _ := value.(object)
		value = inner[name]
	}
	return value
}
