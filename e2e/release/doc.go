// Package release proves what a release holds: that it can be built, installed and updated
// from.
package release
