package registry

import (
	"encoding/json"
	"time"
)

// Languages that are interpreted, but Python and those of browsers.

// shellSettings: in place of reading every script of the workspace at the start,
// each with a process of shellcheck.
const shellSettings = `{"bashIde":{"globPattern":"","backgroundAnalysisMaxFiles":0}}`

func shells() Table {
	return listed(
		// What it diagnoses is shellcheck's, which must be installed as well.
		Definition{
			ID:          "bash",
			Languages:   only("shellscript", ".sh", ".bash", ".ksh", ".bats", "[.]bashrc", "[.]bash_profile", "[.]bash_aliases", "[.]profile"),
			Commands:    run("bash-language-server", "start"),
			Roots:       []string{".shellcheckrc"},
			SingleFile:  true,
			Settings:    json.RawMessage(shellSettings),
			LoadedLog:   `BackgroundAnalysis: `,
			Quirks:      []Quirk{OpensWhenLoaded},
			Helper:      &Helper{Program: "shellcheck", Setting: "shellcheckPath", Next: "apt-get install shellcheck"},
			Diagnostics: Diagnostics{Outside: OutsideTouch, Strategies: []Strategy{Versioned}},
			Optional:    true,
			Tested:      CI,
			Install:     append(npm("bash-language-server"), "apt-get install shellcheck"),
		},
		Definition{
			ID:          "fish",
			Languages:   only("fish", ".fish"),
			Commands:    run("fish-lsp", "start"),
			Roots:       []string{"config.fish"},
			SingleFile:  true,
			Optional:    true,
			Diagnostics: Diagnostics{Outside: OutsideTouch, Quiet: time.Second},
			Tested:      CI,
			Install:     npm("fish-lsp"),
		},
		Definition{
			ID:         "nushell",
			Languages:  only("nushell", ".nu"),
			Commands:   run("nu", "--lsp"),
			SingleFile: true,
			Optional:   true,
			Install:    []string{cargo("nu"), homebrew("nushell")},
		},
		// PowerShell Editor Services is a script, not a program: its archive comes without one
		// to start it, packages of it have this.
		Definition{
			ID:         "powershell",
			Languages:  only("powershell", ".ps1", ".psm1", ".psd1"),
			Commands:   run("powershell-editor-services", "-Stdio"),
			Roots:      []string{"PSScriptAnalyzerSettings.psd1"},
			SingleFile: true,
			Optional:   true,
			Install:    []string{see("github.com/PowerShell/PowerShellEditorServices")},
		},
		Definition{
			ID:         "awk",
			Languages:  only("awk", ".awk", ".gawk"),
			Commands:   run("awk-language-server"),
			SingleFile: true,
			Optional:   true,
			Install:    npm("awk-language-server"),
		},
		Definition{
			ID:                    "vim",
			Languages:             only("vim", ".vim", "[.]vimrc", "vimrc"),
			Commands:              stdio("vim-language-server"),
			SingleFile:            true,
			InitializationOptions: json.RawMessage(`{"isNeovim":false,"vimruntime":"","runtimepath":"","diagnostic":{"enable":true},"indexes":{"runtimepath":false}}`),
			Optional:              true,
			Diagnostics:           touched(),
			Tested:                CI,
			Install:               npm("vim-language-server"),
		},
		Definition{
			ID:         "tcl",
			Languages:  only("tcl", ".tcl", ".sdc", ".xdc", ".upf"),
			Commands:   run("tclsp"),
			Roots:      []string{"tclint.toml", ".tclint"},
			SingleFile: true,
			Install:    []string{pip("tclint")},
		},
	)
}

func php(id string, rank int, commands []Command, roots ...string) Definition {
	return Definition{
		ID: id, Group: "php", Rank: rank, Languages: only("php", ".php", ".phtml"), Commands: commands, SingleFile: true,
		Roots: append(roots, "composer.json", "composer.lock", ".php-version"),
	}
}

func phpServers() Table {
	intelephense := php("intelephense", 1, stdio("intelephense"))
	intelephense.Settings = json.RawMessage(`{"intelephense":{"telemetry":{"enabled":false}}}`)
	// It publishes at once that nothing is wrong, and then begins to index.
	intelephense.Loading = []string{"Intelephense"}
	intelephense.AnnouncesLoading = true
	intelephense.Diagnostics = Diagnostics{Outside: OutsideTouch, Quiet: 1200 * time.Millisecond} // its own debounce is a second
	intelephense.Tested = CI
	intelephense.Install = npm("intelephense")
	phpactor := php("phpactor", 2, run("phpactor", "language-server"), ".phpactor.json", ".phpactor.yml")
	phpactor.Install = []string{see("phpactor.readthedocs.io")}
	devsense := php("devsense-php", 3, run("devsense-php-ls", "--composerNodes", "false"))
	devsense.Diagnostics = touched()
	devsense.Diagnostics.Unsure = "what it publishes for a change may be about the text before, up to a second later"
	devsense.Install = npm("devsense-php-ls")
	return listed(intelephense, phpactor, devsense)
}

func ruby() []Language {
	return only("ruby", ".rb", ".rake", ".gemspec", ".ru", "Gemfile", "Rakefile", "Guardfile")
}

func rubyServers() Table {
	const group = "ruby"
	return append(listed(
		// It judges types, where a project has them.
		Definition{
			ID: "sorbet", Group: group, Rank: 1, Languages: ruby(), Commands: run("srb", "tc", "--lsp"),
			Roots: []string{"sorbet"}, Requires: []string{"sorbet"},
			Install: []string{"gem install sorbet"},
		},
		Definition{
			ID: "ruby-lsp", Group: group, Rank: 2, Languages: ruby(), Commands: run("ruby-lsp"),
			Roots: []string{"Gemfile"}, SingleFile: true, Diagnostics: pulled(),
			Install: []string{"gem install ruby-lsp"},
		},
		Definition{
			ID: "solargraph", Group: group, Rank: 3, Languages: ruby(), Commands: run("solargraph", "stdio"),
			Roots: []string{".solargraph.yml", "Gemfile"}, SingleFile: true,
			Settings: json.RawMessage(`{"solargraph":{"diagnostics":true}}`),
			Install:  []string{"gem install solargraph"},
		},
	), linters(
		Definition{
			ID: "rubocop", Languages: ruby(), Commands: run("rubocop", "--lsp"), Requires: []string{".rubocop.yml"},
			Anew:    []string{".rubocop.yml", ".rubocop_todo.yml"},
			Install: []string{"gem install rubocop"},
		},
	)...)
}

func perlServers() Table {
	const group = "perl"
	perl := func() []Language { return only("perl", ".pl", ".pm", ".t", ".psgi", "cpanfile") }
	roots := func() []string { return []string{"cpanfile", "Makefile.PL", "Build.PL", "dist.ini"} }
	return listed(
		Definition{
			ID: "perlnavigator", Group: group, Rank: 1, Languages: perl(), Commands: stdio("perlnavigator"), Roots: roots(), SingleFile: true,
			Helper:  &Helper{Program: "perl", Setting: "perlPath", Next: "apt-get install perl"},
			Install: []string{homebrew("bscan/perlnavigator/perlnavigator"), see("github.com/bscan/PerlNavigator")},
		},
		Definition{
			ID: "pls", Group: group, Rank: 2, Languages: perl(), Commands: run("pls"), Roots: roots(), SingleFile: true,
			Install: []string{"cpanm PLS"},
		},
		// Nearly every machine has perl, few have this module.
		Definition{
			ID: "perl-languageserver", Group: group, Rank: 3, OptIn: true, Languages: perl(),
			Commands: run("perl", "-MPerl::LanguageServer", "-e", "Perl::LanguageServer::run", "--", "--port", "13603", "--version", "2.5.0"),
			Roots:    roots(), SingleFile: true,
			Settings: json.RawMessage(`{"perl":{"enable":true,"perlInc":[],"fileFilter":[".pl",".pm"],"ignoreDirs":[]}}`),
			Install:  []string{"apt-get install libperl-languageserver-perl", "cpanm Perl::LanguageServer"},
		},
	)
}

func luaServers() Table {
	const group = "lua"
	roots := func() []string {
		return []string{".luarc.json", ".luarc.jsonc", ".emmyrc.json", ".luacheckrc", ".stylua.toml", "stylua.toml", "selene.toml"}
	}
	return listed(
		Definition{
			ID: "lua-language-server", Group: group, Rank: 1, Languages: only("lua", ".lua"), Commands: run("lua-language-server"),
			Roots: roots(), SingleFile: true,
			Settings: json.RawMessage(`{"Lua":{"telemetry":{"enable":false},"workspace":{"checkThirdParty":false}}}`),
			Install:  []string{homebrew("lua-language-server"), see("luals.github.io")},
		},
		Definition{
			ID: "emmylua", Group: group, Rank: 2, Languages: only("lua", ".lua"), Commands: run("emmylua_ls"), Roots: roots(), SingleFile: true,
			Install: []string{cargo("emmylua_ls")},
		},
		Definition{
			ID: "luau", Languages: only("luau", ".luau"), Commands: run("luau-lsp", "lsp"), Roots: []string{".luaurc", "default.project.json"}, SingleFile: true,
			Install: []string{see("github.com/JohnnyMorganz/luau-lsp")},
		},
	)
}

func numeric() Table {
	return listed(
		// The package LanguageServer must be in its default environment.
		Definition{
			ID:        "julia",
			Languages: only("julia", ".jl"),
			Commands:  run("julia", "--startup-file=no", "--history-file=no", "-e", "using LanguageServer; runserver()"),
			Roots:     []string{"Project.toml", "JuliaProject.toml"}, SingleFile: true,
			Install: []string{`julia -e 'using Pkg; Pkg.add("LanguageServer")'`},
		},
		Definition{
			ID:        "r",
			Languages: []Language{language("r", ".R", ".r"), language("rmd", ".Rmd", ".rmd")},
			Commands:  run("R", "--no-echo", "-e", "languageserver::run()"),
			Roots:     []string{"DESCRIPTION", ".lintr", "*.Rproj"}, SingleFile: true,
			Install: []string{`R -e 'install.packages("languageserver")'`},
		},
		// Its files have the ending of Objective-C, and it diagnoses nothing without
		// an installed MATLAB.
		Definition{
			ID:        "matlab",
			Languages: only("matlab", ".m"),
			Commands:  stdio("matlab-language-server"),
			Roots:     []string{"startup.m", "*.prj"}, SingleFile: true,
			OptIn:   true,
			Install: []string{see("github.com/mathworks/MATLAB-language-server")},
		},
	)
}
