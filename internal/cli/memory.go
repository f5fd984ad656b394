package cli

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// frugalPercent is how much the heap of a process that saves memory grows between two collections,
// in per cent; see [debug.SetGCPercent].
const frugalPercent = 25

// saveMemory makes this process use less memory, and work more slowly, until end is called: one
// that only passes calls on to a daemon mostly waits. end may be called several times.
func saveMemory() (end func()) {
	processors, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(frugalPercent)
	return sync.OnceFunc(func() {
		runtime.GOMAXPROCS(processors)
		debug.SetGCPercent(percent)
	})
}
