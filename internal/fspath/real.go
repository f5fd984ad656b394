package fspath

import "path/filepath"

// Real returns the path of what exists at a path, with links resolved, relative if path is. It is
// filepath.EvalSymlinks, but that the volume is spelled as all of us do (see [Style.Clean]), on
// systems where that matters.
func Real(path string) (string, error) {
	if !Here.Drives { // cleaned before, link/.. would be where the link is
		return filepath.EvalSymlinks(path)
	}
	resolved, err := filepath.EvalSymlinks(Here.Clean(path))
	if err != nil {
		return "", err
	}
	return Here.Clean(resolved), nil
}
