// Package install tells how somebody who has no language server comes to have one: by the
// real binary, out of npm and the Go proxy or their caches.
package install
