package lsp_test

// supervisors is how many processes of ours run for one server: it is in a job. killed is how one ended
// that was: no code says so for sure.
const (
	supervisors = 0
	killed      = ""
)
