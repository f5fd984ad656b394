package language

import "os"

// A Build is how a kind of project is built and tested. The arguments are fixed.
type Build struct {
	// Language is the id of what it builds, Marker the file by which its folder is known.
	Language, Marker string
	Build, Test      []string
	// Parts says that the tool is content with a folder of the project.
	Parts bool
}

var (
	pythonBuild = []string{"python3", "-m", "compileall", "-q", "."}
	pythonTest  = []string{"python3", "-m", "pytest", "-q"}
)

// Builds are in the order in which their markers are looked for.
var Builds = []Build{
	{Go, "go.mod", []string{"go", "build", "-o", os.DevNull, "./..."}, []string{"go", "test", "./..."}, true},
	{Rust, "Cargo.toml", []string{"cargo", "build", "--quiet"}, []string{"cargo", "test", "--quiet"}, false},
	{"typescript", "tsconfig.json", []string{"tsc", "--noEmit", "--pretty", "false"}, []string{"npm", "test", "--silent"}, false},
	{"javascript", "package.json", []string{"npm", "run", "build", "--silent"}, []string{"npm", "test", "--silent"}, false},
	{"java", "pom.xml", []string{"mvn", "--batch-mode", "--quiet", "compile"}, []string{"mvn", "--batch-mode", "--quiet", "test"}, false},
	{"java", "build.gradle", []string{"gradle", "--quiet", "classes"}, []string{"gradle", "--quiet", "test"}, false},
	{"java", "build.gradle.kts", []string{"gradle", "--quiet", "classes"}, []string{"gradle", "--quiet", "test"}, false},
	{"cpp", "CMakeCache.txt", []string{"cmake", "--build", "."}, []string{"ctest", "--output-on-failure"}, false},
	{"cpp", "build/CMakeCache.txt", []string{"cmake", "--build", "build"}, []string{"ctest", "--test-dir", "build", "--output-on-failure"}, false},
	{"cpp", "Makefile", []string{"make"}, []string{"make", "test"}, false},
	{"python", "pyproject.toml", pythonBuild, pythonTest, false},
	{"python", "setup.py", pythonBuild, pythonTest, false},
	{"python", "requirements.txt", pythonBuild, pythonTest, false},
	{"python", "pyrightconfig.json", pythonBuild, pythonTest, false},
}

// BuiltAs are the ids of languages that are built as others.
var BuiltAs = map[string]string{"c": "cpp", "typescriptreact": "typescript", "javascriptreact": "javascript"}
