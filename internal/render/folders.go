package render

import "strings"

// A run is consecutive paths that are written below one folder; without a
// folder it is one path, written whole.
type run struct {
	folder string // with its final slash
	from   int
	to     int // excluded
}

// maxRun bounds the paths below one folder, and so the work.
const maxRun = 64

// runs divides sorted paths so that a line for each folder, and one for each
// path below it, take the fewest bytes. Each path is its folder's line and its
// own, put together.
func runs(paths []string) []run {
	cost := make([]int, len(paths)+1) // of the first n paths
	last := make([]run, len(paths)+1) // the run that they end with
	for n := 1; n <= len(paths); n++ {
		cost[n] = cost[n-1] + len(paths[n-1]) + 1
		last[n] = run{from: n - 1, to: n}
		folder, below := folderOf(paths[n-1]), 0
		for from := n - 1; from >= max(0, n-maxRun); from-- {
			folder = commonFolder(folder, paths[from])
			if folder == "" {
				break
			}
			below += len(paths[from]) + len(" \n")
			whole := cost[from] + len(folder) + 1 + below - (n-from)*len(folder)
			if whole < cost[n] {
				cost[n], last[n] = whole, run{folder, from, n}
			}
		}
	}
	var list []run
	for n := len(paths); n > 0; n = last[n].from {
		list = append(list, last[n])
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// folderOf returns the folder of a path, with its final slash, or "".
func folderOf(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// commonFolder returns the longest folder that is a beginning of both.
func commonFolder(folder, path string) string {
	for folder != "" && !strings.HasPrefix(path, folder) {
		folder = folderOf(strings.TrimSuffix(folder, "/"))
	}
	return folder
}
