package edit

// A NothingToChangeError says that an edit leaves every file as it is.
type NothingToChangeError struct{}

func (e *NothingToChangeError) Error() string { return "nothing would change" }

// Hint says what that means.
func (e *NothingToChangeError) Hint() string {
	return "the files are already as the edit would make them"
}
