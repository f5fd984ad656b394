package language

// pythonCommand is what Python is called everywhere but on Windows.
const pythonCommand = "python3"

// CommandNames returns the names under which to look for a program of a language: the first that is on PATH is
// the right one. Only Windows has others than its own: there, Python comes with the launcher py, and a python3 may be
// only an advertisement of the store.
func CommandNames(program string, windows bool) []string {
	if windows && program == pythonCommand {
		return []string{"py", "python", pythonCommand}
	}
	return []string{program}
}
