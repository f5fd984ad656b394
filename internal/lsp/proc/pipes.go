package proc

import "os"

// pipes are the parent's and the child's ends.
type pipes struct {
	mine, theirs []*os.File
}

// open makes a pipe; toChild says who reads.
func (p *pipes) open(toChild bool) (mine, theirs *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	mine, theirs = r, w
	if toChild {
		mine, theirs = w, r
	}
	p.mine, p.theirs = append(p.mine, mine), append(p.theirs, theirs)
	return mine, theirs, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
