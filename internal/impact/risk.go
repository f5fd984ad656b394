package impact

import "fmt"

// A Risk is how much a change of a symbol may break.
type Risk string

const (
	None   Risk = "none"
	Low    Risk = "low"
	Medium Risk = "medium"
	High   Risk = "high"
	// Unknown is that of what others may use whom nobody here can ask.
	Unknown Risk = "unknown"
)

// A Usage is what the risk of a symbol depends on.
type Usage struct {
	// References are the uses in other files outside tests, by Users in Files;
	// Elsewhere says that some are outside its folder.
	References, Users, Files int
	Elsewhere                bool
	// Own are uses in its own file, Tests those in tests; Indirect says that a
	// test uses one of its users.
	Own, Tests int
	Indirect   bool
	// Shown says that other repositories can use it.
	Shown bool
}

// From how many uses, files and users on a change is felt.
const (
	manyUses  = 20
	manyFiles = 10
	fewUsers  = 3
)

// Judge returns the risk of changing a symbol, and the reason.
//
//	none    nothing uses it, and nobody else can
//	unknown nothing here uses it, and others may
//	low     only its own file or tests do; or few users, or only its own folder,
//	        and tests would tell
//	high    more than 20 uses, or more than 10 files; or used beyond its folder
//	        and no test would tell
//	medium  everything else
func Judge(u Usage) (Risk, string) {
	switch {
	case u.References+u.Own+u.Tests == 0 && u.Shown:
		return Unknown, "nothing in the workspace uses it, but it is exported: who uses it elsewhere is not known"
	case u.References+u.Own+u.Tests == 0:
		return None, "nothing in the workspace uses it"
	case u.References == 0 && u.Own == 0:
		return Low, "only tests use it"
	case u.References == 0:
		return Low, "only its own file uses it"
	case u.References > manyUses:
		return High, fmt.Sprintf("%s in %s", counted(u.References, "use"), counted(u.Files, "file"))
	case u.Files > manyFiles:
		return High, "used in " + counted(u.Files, "file")
	case u.Tests == 0 && u.Indirect:
		return Medium, "tests use it only through others"
	case u.Tests == 0 && u.Elsewhere:
		return High, "used outside its folder, and no test uses it"
	case u.Tests == 0:
		return Medium, "used in its folder, and no test uses it"
	case !u.Elsewhere:
		return Low, "used only in its folder, and tested"
	case u.Users <= fewUsers:
		return Low, counted(u.Users, "user") + ", and tested"
	}
	return Medium, fmt.Sprintf("%s in %s, and tested", counted(u.Users, "user"), counted(u.Files, "file"))
}

// counted writes a number of things.
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
