package lsp_test

// supervisors is how many processes of ours run for one server: it is in a job. killed is how one ended
// that was: a code is all that is known.
const (
	supervisors = 0
	killed      = "exited with code 1"
)
