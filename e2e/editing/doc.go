// Package editing has real language servers rename and format: what each of them misses, leaves
// out or cannot do, and what room editing makes of it.
package editing
