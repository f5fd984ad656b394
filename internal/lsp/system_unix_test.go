//go:build unix

package lsp_test

// supervisors is how many processes of ours run for one server; killed is how one ended that was.
const (
	supervisors = 1
	killed      = "killed by killed"
)
