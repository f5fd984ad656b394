// Package diagnostics collects what language servers report about files, keeps track of the version
// of a file that each report holds for, and tells new findings from old ones.
//
// A [Collector] shows contents to servers and waits until each has reported everything it has to
// say about exactly that content; how this is known depends on the server's [registry.Strategy]. An
// answer that did not come in time has its own [Freshness] and is never an empty list. No strategy
// contains a fixed sleep.
package diagnostics
