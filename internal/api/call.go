package api

import "time"

// Milliseconds is a deadline as a request names it; 0 is none.
func Milliseconds(ms int) time.Duration { return max(0, time.Duration(ms)*time.Millisecond) }
