// Package refcache keeps the answers to questions about where symbols are used, on disk, for the next process. An answer is given
// again only while nothing has changed that could change it: no text of the workspace, and nothing else that its server
// reads (see [registry.World]). It says where it comes from. Only navigation uses it: no judgement and no edit does.
//
// It also takes over indexes of code that others made, and answers from them, see docs/design/index.md.
package refcache
