package setup

import "strings"

// A project lacks something that its server needs.
type project struct {
	name, server string
	files        map[string]string
	// main is the file that is checked. Its text is right, and the server finds errors.
	main string
	// missing is what every answer says, next the command that mends it.
	missing, next string
	// excused is a part of one of the errors that come of what is missing.
	excused string
	// wrong is main with an error of another kind beside those, found is what the server
	// says of it; "" where it can say nothing.
	wrong, found string
	// foreign is the place of a name that the project lacks, "" for none.
	foreign string
	// confined says that it is known which parts of main are not judged: an edit of others
	// is, and the answer only notes the rest.
	confined bool
	// mended are files that set the project up, "" where a test cannot.
	mended map[string]string
}

const fmtHeader = `#pragma once
#define FMT_BEGIN_NAMESPACE namespace fmt { inline namespace v11 {
#define FMT_END_NAMESPACE } }
#define FMT_API
FMT_BEGIN_NAMESPACE
namespace detail {
template <typename T> struct buffer { void append(const T*, const T*) {} };
struct locale_ref {};
template <typename C> auto decimal_point_impl(locale_ref) -> C { return C('.'); }
template <typename C> struct thousands_sep_result { C c; };
template <typename C> auto thousands_sep_impl(locale_ref) -> thousands_sep_result<C> { return {}; }
namespace dragonbox {
template <typename F> struct decimal_fp { F f; };
template <typename F> auto to_decimal(F x) noexcept -> decimal_fp<F> { return {x}; }
}
}
FMT_END_NAMESPACE
`

// fmtSource is format.cc of the library fmt, shortened.
const fmtSource = `#include "fmt/format-inl.h"

FMT_BEGIN_NAMESPACE
namespace detail {

template FMT_API auto dragonbox::to_decimal(float x) noexcept
    -> dragonbox::decimal_fp<float>;

template FMT_API auto thousands_sep_impl(locale_ref)
    -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;

template FMT_API void buffer<char>::append(const char*, const char*);

}  // namespace detail
FMT_END_NAMESPACE
`

const tsSource = `import express from 'express';
import { readFile } from 'node:fs/promises';
import 'dotenv/config';

const app = express();
app.get('/', (req, res) => { res.send(process.cwd()); });
export const timer: NodeJS.Timeout = setTimeout(() => readFile('x'), 1);
`

// script is the same project for each server of TypeScript.
func script(server string) project {
	return project{
		name: server + " without node_modules", server: server,
		files: map[string]string{
			"package.json":  `{"name":"t","version":"1.0.0","dependencies":{"dotenv":"^16.0.0","express":"^4.0.0"},"devDependencies":{"@types/node":"^20.0.0"}}`,
			"tsconfig.json": `{"compilerOptions":{"strict":true,"target":"ES2022","module":"nodenext","types":["node"],"noEmit":true}}`,
			"app.ts":        tsSource,
		},
		main: "app.ts", foreign: "app.ts:1:8", missing: "there is no node_modules", next: "npm install", excused: "'express'",
		wrong: tsSource + "export const n: number = 'text';\n", found: "not assignable to type 'number'",
		mended: map[string]string{
			"node_modules/express/package.json":     `{"name":"express","version":"4.0.0","types":"index.d.ts"}`,
			"node_modules/express/index.d.ts":       "declare function express(): { get(path: string, then: (req: object, res: { send(text: string): void }) => void): void };\nexport = express;\n",
			"node_modules/dotenv/package.json":      `{"name":"dotenv","version":"16.0.0","exports":{"./config":"./config.d.ts"}}`,
			"node_modules/dotenv/config.d.ts":       "export {};\n",
			"node_modules/@types/node/package.json": `{"name":"@types/node","version":"20.0.0","types":"index.d.ts"}`,
			"node_modules/@types/node/index.d.ts": "declare namespace NodeJS { interface Timeout {} }\ndeclare const process: { cwd(): string };\n" +
				"declare function setTimeout(then: () => void, after: number): NodeJS.Timeout;\ndeclare module 'node:fs/promises' { export function readFile(path: string): Promise<string>; }\n",
		},
	}
}

// component is a project with a script that imports a component, which its server does not read.
func component(ending string) project {
	return project{
		name: "typescript with a component " + ending, server: "typescript",
		files: map[string]string{
			"tsconfig.json": `{"compilerOptions":{"strict":true,"target":"ES2022","module":"esnext","moduleResolution":"bundler","noEmit":true,"types":[]}}`,
			"Card" + ending: "<p>card</p>\n",
			"app.ts":        "import Card from './Card" + ending + "';\n\nexport const card = Card;\n",
		},
		main: "app.ts", missing: "typescript reads no " + ending + " files: it takes no plug-ins", excused: "'./Card" + ending + "'",
		wrong: "import Card from './Card" + ending + "';\nimport Gone from './Gone" + ending + "';\n\nexport const card = [Card, Gone];\n", found: "'./Gone" + ending + "'",
	}
}

// plugged is a project whose packages are in archives, which its server does not read.
func plugged(server, next string) project {
	return project{
		name: server + " with Yarn's Plug'n'Play", server: server,
		files: map[string]string{
			"package.json":  `{"name":"t","version":"1.0.0","dependencies":{"zod":"^3.0.0"}}`,
			"tsconfig.json": `{"compilerOptions":{"strict":true,"target":"ES2022","module":"nodenext","noEmit":true}}`,
			".pnp.cjs":      "module.exports = {};\n", "yarn.lock": "",
			"app.ts": "import { z } from 'zod';\n\nexport const schema = z.number();\n",
		},
		main: "app.ts", missing: "Yarn's Plug'n'Play keeps the packages of the current folder in archives", next: next, excused: "'zod'",
		wrong: "import { z } from 'zod';\nimport { y } from 'never-asked-for';\n\nexport const schema = z.number(y);\n", found: "'never-asked-for'",
	}
}

const pySource = "import numpy\nfrom local import one\n\n\ndef get() -> int:\n    return numpy.zeros(3)[0] + one\n"

const goSource = "package m\n\nimport \"example.com/nobody/none/x\"\n\nfunc F() int { return x.Y() }\n"

const javaSource = "package app;\n\nimport com.google.common.collect.ImmutableList;\n\npublic class App {\n    ImmutableList<String> all = ImmutableList.of(\"a\");\n\n" +
	"    public ImmutableList<String> all() { return all; }\n}\n"

const javaWrong = "package app;\n\nimport com.google.common.collect.ImmutableList;\n\npublic class App {\n    ImmutableList<String> all = ImmutableList.of(\"a\");\n    int n = \"text\";\n}\n"

const gradleBuild = "plugins { id 'java' }\nrepositories { mavenCentral() }\ndependencies { implementation 'com.google.guava:guava:33.0.0-jre' }\n"

var projects = []project{
	{
		name: "clangd without compile_commands.json", server: "clangd",
		files: map[string]string{"CMakeLists.txt": "project(f)\n", "include/fmt/format-inl.h": fmtHeader, "src/format.cc": fmtSource},
		main:  "src/format.cc", foreign: "src/format.cc:6:23", missing: "no compile_commands.json", next: "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON", excused: "'fmt/format-inl.h' file not found",
		wrong: fmtSource + "\nint number() { int* n = 1.5; return *n; }\n", found: "Cannot initialize",
		mended: map[string]string{"compile_flags.txt": "-Iinclude\n"},
	},
	script("typescript"),
	script("typescript-language-server"),
	{
		name: "typescript without one package", server: "typescript",
		files: map[string]string{
			"package.json":                    `{"name":"t","version":"1.0.0","dependencies":{"there":"^1.0.0","zod":"^3.0.0"}}`,
			"tsconfig.json":                   `{"compilerOptions":{"strict":true,"target":"ES2022","module":"nodenext","noEmit":true}}`,
			"node_modules/there/package.json": `{"name":"there","version":"1.0.0","types":"index.d.ts"}`,
			"node_modules/there/index.d.ts":   "export const here: number;\n",
			"app.ts":                          "import { here } from 'there';\nimport { z } from 'zod';\n\nexport const schema = z.number().min(here);\n",
		},
		main: "app.ts", missing: "package.json names packages that node_modules lacks: zod", next: "npm install", excused: "'zod'", confined: true,
		wrong: "import { z } from 'zod';\nimport { y } from 'never-asked-for';\n\nexport const schema = z.number(y);\n", found: "'never-asked-for'",
	},
	component(".vue"),
	component(".svelte"),
	component(".astro"),
	plugged("typescript", "yarn config set nodeLinker node-modules && yarn install"),
	plugged("typescript-language-server", "yarn dlx @yarnpkg/sdks base"),
	{
		name: "pyright without an environment", server: "pyright",
		files: map[string]string{
			"pyproject.toml": "[project]\nname = \"p\"\nversion = \"1\"\ndependencies = [\"numpy\"]\n", "uv.lock": "", "local.py": "one: int = 1\n", "app.py": pySource,
		},
		main: "app.py", foreign: "app.py:1:8", missing: "there is no environment", next: "uv sync", excused: `"numpy"`,
		wrong: pySource + "\n\nfrom local.more import two\n", found: `"local.more"`,
	},
	{
		name: "gopls without a module", server: "gopls",
		files: map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n\nrequire example.com/nobody/none v1.0.0\n", "a.go": goSource},
		main:  "a.go", missing: "modules that go.mod requires are not downloaded: example.com/nobody/none", next: "go mod download", excused: "example.com/nobody/none/x",
		wrong: goSource + "\nvar n int = \"text\"\n", found: "cannot use",
	},
	{
		name: "jdtls without the packages of Maven", server: "jdtls",
		files: map[string]string{
			"pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>` +
				`<dependencies><dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId><version>33.0.0-jre</version></dependency></dependencies></project>`,
			"src/main/java/app/App.java": javaSource,
		},
		main: "src/main/java/app/App.java", missing: "the project is not loaded: pom.xml", next: "mvn",
	},
	{
		name: "jdtls without the Gradle of the wrapper", server: "jdtls",
		files: map[string]string{
			"settings.gradle": "rootProject.name = 'g'\n", "build.gradle": gradleBuild, "gradlew": "#!/bin/sh\nexit 1\n",
			"gradle/wrapper/gradle-wrapper.properties": "distributionBase=GRADLE_USER_HOME\ndistributionPath=wrapper/dists\ndistributionUrl=https\\://127.0.0.1\\:9/gradle-8.5-bin.zip\n",
			"src/main/java/app/App.java":               javaSource,
		},
		main: "src/main/java/app/App.java", foreign: "src/main/java/app/App.java:3:36",
		missing: "the project is not loaded: gradle-8.5-bin, which gradle/wrapper/gradle-wrapper.properties names, is not downloaded", next: "./gradlew dependencies", excused: "com.google",
		wrong: javaWrong, found: "cannot convert from String to int",
	},
	{
		name: "jdtls without a build file", server: "jdtls",
		files: map[string]string{"App.java": strings.Replace(javaSource, "package app;\n\n", "", 1)},
		main:  "App.java", missing: "no pom.xml or build.gradle", next: "gradle init", excused: "com.google",
		wrong: strings.Replace(javaWrong, "package app;\n\n", "", 1), found: "cannot convert from String to int",
	},
	{
		name: "jdtls without a library of its class path", server: "jdtls",
		files: map[string]string{
			".project": `<?xml version="1.0" encoding="UTF-8"?><projectDescription><name>m</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>` +
				`<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>`,
			".classpath": `<?xml version="1.0" encoding="UTF-8"?><classpath><classpathentry kind="src" path="src"/><classpathentry kind="lib" path="lib/guava.jar"/>` +
				`<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>`,
			"src/app/App.java": javaSource,
		},
		main: "src/app/App.java", missing: "lib/guava.jar", next: "", excused: "com.google",
		wrong: javaWrong, found: "cannot convert from String to int",
	},
}
