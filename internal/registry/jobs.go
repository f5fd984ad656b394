package registry

import (
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Jobs stands in the arguments of a command for a number of threads: one for each
// processor, and at least four. With two, clangd 22 now and then answers nothing any more
// when documents are closed and opened in quick turn: each thread waits for another.
const Jobs = "${jobs}"

// FillJobs returns arguments with the number of threads filled in.
func FillJobs(args []string) []string {
	const least = 4
	filled := slices.Clone(args)
	for i := range filled {
		filled[i] = strings.ReplaceAll(filled[i], Jobs, strconv.Itoa(max(least, runtime.NumCPU())))
	}
	return filled
}
