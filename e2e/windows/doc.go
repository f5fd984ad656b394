// Package windows has the stories of the Windows build with real servers. `make test-windows` runs
// them under Wine.
package windows
