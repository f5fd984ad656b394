//go:build !linux

package lsp

import "time"

// clockTick returns at least how often the clock changes from which file systems take their times.
func clockTick() time.Duration { return maxClockTick }
