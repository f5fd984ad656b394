package daemon

// ownAlone refuses: whom a folder belongs to is not asked here yet.
func ownAlone(dir string) error { return &RefusedError{dir, "on a system without a daemon"} }

func ownSocket(path string) error { return ownAlone(path) }
