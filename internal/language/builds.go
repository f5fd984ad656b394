package language

import "os"

// A Build is how a kind of project is built and tested. The arguments are fixed.
type Build struct {
	// Language is what it builds, Marker the file by which its folder is known, with slashes.
	Language ID
	Marker   string
	// Build and Test are the program and its arguments, without a shell.
	Build, Test []string
	// Parts says that the tool is content with a folder of the project.
	Parts bool
}

var (
	pythonBuild = []string{pythonCommand, "-m", "compileall", "-q", "."}
	pythonTest  = []string{pythonCommand, "-m", "pytest", "-q"}
)

// Builds are in the order in which their markers are looked for.
var Builds = []Build{
	{Go, GoMod, []string{GoCommand, "build", "-o", os.DevNull, "./..."}, []string{GoCommand, "test", "./..."}, true},
	{Rust, CargoTOML, []string{"cargo", "build", "--quiet"}, []string{"cargo", "test", "--quiet"}, false},
	{TypeScript, TSConfig, []string{"tsc", "--noEmit", "--pretty", "false"}, []string{"npm", "test", "--silent"}, false},
	{JavaScript, PackageJSON, []string{"npm", "run", "build", "--silent"}, []string{"npm", "test", "--silent"}, false},
	{Java, PomXML, []string{"mvn", "--batch-mode", "--quiet", "compile"}, []string{"mvn", "--batch-mode", "--quiet", "test"}, false},
	{Java, BuildGradle, []string{"gradle", "--quiet", "classes"}, []string{"gradle", "--quiet", "test"}, false},
	{Java, BuildGradleKTS, []string{"gradle", "--quiet", "classes"}, []string{"gradle", "--quiet", "test"}, false},
	{CPP, "CMakeCache.txt", []string{"cmake", "--build", "."}, []string{"ctest", "--output-on-failure"}, false},
	{CPP, "build/CMakeCache.txt", []string{"cmake", "--build", "build"}, []string{"ctest", "--test-dir", "build", "--output-on-failure"}, false},
	{CPP, Makefile, []string{"make"}, []string{"make", "test"}, false},
	{Python, PyProject, pythonBuild, pythonTest, false},
	{Python, SetupPy, pythonBuild, pythonTest, false},
	{Python, Requirements, pythonBuild, pythonTest, false},
	{Python, PyrightConfig, pythonBuild, pythonTest, false},
}

// BuiltAs are languages that are built as others.
var BuiltAs = map[ID]ID{C: CPP, TypeScriptReact: TypeScript, JavaScriptReact: JavaScript}
