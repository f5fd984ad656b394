package registry

// A UserConfig is a file that a server reads below a folder that a variable of its
// environment names. It gets a copy of its own.
type UserConfig struct {
	// Variable names the folder; where it is not set, that is Default in the home folder.
	Variable, Default string
	// File is the path below the folder, Addition what is put after the user's text.
	File, Addition string
	// Elsewhere is added for each project that has one of [Definition.Elsewhere] and none
	// of LoadsBy. In it [ProjectFiles] stands for a regular expression for the paths of the
	// project, and [FoundFolder] for the folder of what was found.
	Elsewhere string
}

// What stands in what is added to the configuration of a user.
const (
	ProjectFiles = "${files}"
	FoundFolder  = "${folder}"
)
