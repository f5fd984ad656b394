// Package checking tells real language servers what room checking does with toy ones: what an
// edit, or a change that others made, breaks in files that nobody opened, and how a project's
// own tools and set-up decide what is an error.
package checking
