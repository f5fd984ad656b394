package registry

import "encoding/json"

// Languages that are compiled to machine code, and descriptions of hardware.

// ccls stands in for clangd.
func ccls() Definition {
	return Definition{
		ID: "ccls", Languages: clangd().Languages, Group: "c", Rank: 2,
		Commands:              run("ccls"),
		Roots:                 []string{"compile_commands.json", ".ccls", "compile_flags.txt"},
		InitializationOptions: json.RawMessage(`{"cache":{"directory":""}}`), // in memory: it must not write beside the sources
		Diagnostics:           Diagnostics{Outside: OutsideReopen},
		Quirks:                []Quirk{OpenChanged, ReadsSaved},
		Wording:               clangWording,
		Tested:                CI,
		Install:               []string{"apt-get install ccls", homebrew("ccls")},
	}
}

func compiled() Table {
	return listed(
		ccls(),
		Definition{
			ID: "ada", Languages: only("ada", ".adb", ".ads", ".gpr"), Commands: run("ada_language_server"),
			Roots: []string{"alire.toml", "*.gpr"}, SingleFile: true,
			Install: []string{see("github.com/AdaCore/ada_language_server")},
		},
		Definition{
			ID: "asm", Languages: only("asm", ".asm", ".s", ".S", ".nasm"), Commands: run("asm-lsp"),
			Roots: []string{".asm-lsp.toml"}, SingleFile: true, Optional: true,
			Install: []string{cargo("asm-lsp")},
		},
		Definition{
			ID: "crystal", Languages: only("crystal", ".cr"), Commands: run("crystalline"), Roots: []string{"shard.yml"}, SingleFile: true,
			Install: []string{homebrew("crystalline"), see("github.com/elbywan/crystalline")},
		},
		Definition{
			ID: "serve-d", Languages: only("d", ".d", ".di"), Commands: run("serve-d"), Roots: []string{"dub.json", "dub.sdl"}, SingleFile: true,
			Install: []string{"dub fetch serve-d && dub run serve-d"},
		},
		// It reads a change only from the file on disk.
		Definition{
			ID:        "fortran",
			Languages: only("fortran", ".f90", ".f95", ".f03", ".f08", ".f18", ".f", ".for", ".ftn", ".F90", ".F"),
			Commands:  run("fortls"), Roots: []string{".fortls", ".fortlsrc", ".fortls.json", "fpm.toml"}, SingleFile: true,
			Diagnostics: Diagnostics{Outside: OutsideTouch, NeedsSave: true},
			Tested:      CI,
			Install:     []string{pip("fortls"), "apt-get install fortran-language-server"},
		},
		Definition{
			ID: "nim", Languages: only("nim", ".nim", ".nims", ".nimble"), Commands: []Command{{Binary: "nimlangserver"}, {Binary: "nimlsp"}},
			Roots: []string{"*.nimble", "nim.cfg"}, SingleFile: true,
			Install: []string{"nimble install nimlangserver"},
		},
		Definition{
			ID: "ols", Languages: only("odin", ".odin"), Commands: run("ols"), Roots: []string{"ols.json"}, SingleFile: true,
			Install: []string{homebrew("ols"), see("github.com/DanielGavin/ols")},
		},
		Definition{
			ID: "pascal", Languages: only("pascal", ".pas", ".lpr", ".dpr"), Commands: run("pasls"), Roots: []string{"*.lpi", "*.lpk"}, SingleFile: true,
			Install: []string{see("github.com/genericptr/pascal-language-server")},
		},
		Definition{
			ID: "v-analyzer", Languages: only("v", ".v", ".vsh", ".vv"), Commands: run("v-analyzer"), Roots: []string{"v.mod"},
			Requires: []string{"v.mod"},
			Install:  []string{see("github.com/vlang/v-analyzer")},
		},
		Definition{
			ID: "vala", Languages: only("vala", ".vala", ".vapi"), Commands: run("vala-language-server"), Roots: []string{"meson.build"}, SingleFile: true,
			Install: []string{homebrew("vala-language-server"), see("github.com/vala-lang/vala-language-server")},
		},
		Definition{
			ID: "zls", Languages: only("zig", ".zig", ".zon"), Commands: run("zls"), Roots: []string{"build.zig", "zls.json"}, SingleFile: true,
			Install: []string{homebrew("zls"), see("zigtools.org/zls/install")},
		},
		Definition{
			ID: "mojo", Languages: only("mojo", ".mojo"), Commands: run("mojo-lsp-server"), Roots: []string{"mojoproject.toml", "pixi.toml"}, SingleFile: true,
			Install: []string{see("docs.modular.com/mojo")},
		},
		Definition{
			ID: "moonbit", Languages: only("moonbit", ".mbt"), Commands: stdio("moonbit-lsp"), Roots: []string{"moon.mod.json"},
			Install: npm("@moonbit/moonbit-lsp"),
		},
	)
}

func contracts() Table {
	return listed(
		// It downloads the compiler that the source names.
		Definition{
			ID: "solidity", Languages: only("solidity", ".sol"),
			Commands: []Command{
				{Binary: "nomicfoundation-solidity-language-server", Args: []string{"--stdio"}}, {Binary: "vscode-solidity-server", Args: []string{"--stdio"}},
			},
			Roots: []string{
				"foundry.toml", "hardhat.config.js", "hardhat.config.ts", "hardhat.config.cjs", "truffle-config.js", "remappings.txt", "ape-config.yaml", "package.json",
			},
			SingleFile:  true,
			Diagnostics: Diagnostics{Outside: OutsideTouch, Unsure: "of a file whose compiler it could not get it says that nothing is wrong"},
			Install:     npm("@nomicfoundation/solidity-language-server"),
		},
		Definition{
			ID: "move", Languages: only("move", ".move"), Commands: run("move-analyzer"), Roots: []string{"Move.toml"},
			Install: []string{"cargo install --git https://github.com/MystenLabs/sui sui-move-lsp"},
		},
		Definition{
			ID: "cairo", Languages: only("cairo", ".cairo"), Commands: run("scarb", "cairo-language-server"), Roots: []string{"Scarb.toml", "cairo_project.toml"},
			Install: []string{see("docs.swmansion.com/scarb")},
		},
		Definition{
			ID: "aiken", Languages: only("aiken", ".ak"), Commands: run("aiken", "lsp"), Roots: []string{"aiken.toml"},
			Install: []string{homebrew("aiken-lang/tap/aiken")},
		},
	)
}

func hardware() Table {
	return listed(
		Definition{
			ID: "verible", Languages: []Language{language("systemverilog", ".sv", ".svh"), language("verilog", ".v", ".vh")},
			Commands: run("verible-verilog-ls"), Roots: []string{"verible.filelist", ".rules.verible_lint"}, SingleFile: true,
			Excludes: []string{"v.mod", "_CoqProject", "_RocqProject"},
			Install:  []string{homebrew("chipsalliance/verible/verible"), see("github.com/chipsalliance/verible")},
		},
		Definition{
			ID: "vhdl", Languages: only("vhdl", ".vhd", ".vhdl"), Commands: run("vhdl_ls"), Roots: []string{"vhdl_ls.toml", ".vhdl_ls.toml"}, SingleFile: true,
			Install: []string{cargo("vhdl_ls")},
		},
		Definition{
			ID: "glsl", Languages: only("glsl", ".glsl", ".vert", ".frag", ".geom", ".comp", ".tesc", ".tese"),
			Commands: []Command{{Binary: "glsl_analyzer"}, {Binary: "glslls", Args: []string{"--stdin"}}}, SingleFile: true,
			Install: []string{homebrew("glsl_analyzer"), see("github.com/nolanderc/glsl_analyzer")},
		},
		Definition{
			ID: "wgsl", Languages: only("wgsl", ".wgsl"), Commands: run("wgsl-analyzer"), SingleFile: true,
			Install: []string{"cargo install --git https://github.com/wgsl-analyzer/wgsl-analyzer wgsl-analyzer"},
		},
		Definition{
			ID: "slangd", Languages: []Language{language("hlsl", ".hlsl", ".hlsli", ".fx"), language("slang", ".slang")},
			Commands: run("slangd"), Roots: []string{"slangdconfig.json"}, SingleFile: true,
			Install: []string{see("shader-slang.org")},
		},
		Definition{
			ID: "opencl", Languages: only("opencl", ".cl"), Commands: run("opencl-language-server"), SingleFile: true,
			Install: []string{see("github.com/Galarius/opencl-language-server")},
		},
		Definition{
			ID: "qmlls", Languages: []Language{language("qml", ".qml"), language("qmltypes", ".qmltypes")},
			Commands: []Command{{Binary: "qmlls"}, {Binary: "qmlls6"}}, Roots: []string{".qmlls.ini", "qmldir", "CMakeLists.txt"}, SingleFile: true,
			Diagnostics: Diagnostics{Outside: OutsideTouch, Unsure: "it publishes an empty list for each change first, and what it found some time later"},
			Install:     []string{"apt-get install qt6-declarative-dev-tools"},
		},
		Definition{
			ID: "blueprint", Languages: only("blueprint", ".blp"), Commands: run("blueprint-compiler", "lsp"), Roots: []string{"meson.build"}, SingleFile: true,
			Diagnostics: touched(),
			Tested:      CI,
			Install:     []string{"apt-get install blueprint-compiler"},
		},
	)
}
