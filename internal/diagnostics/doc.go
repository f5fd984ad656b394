// Package diagnostics knows what language servers say about files, for which
// version of them it holds, and what of it is new.
//
// A [Collector] shows contents to servers and waits until each has said all it
// has to say about exactly that content; how that is known is the server's
// [registry.Strategy]. What could not be known in time is its own answer
// ([Freshness]) and never an empty list. No strategy contains a fixed sleep.
package diagnostics
