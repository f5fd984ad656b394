// Package simulation shows with real language servers that sessions of edits in memory tell the
// truth: what an evaluation says is what a check says once the edits are written, nobody else ever
// hears of them, a server that hangs is not taken for one that found nothing, and a commit is whole.
package simulation
