// Package roots holds stories of workspaces with several projects, told to real
// servers: what an edit in one project breaks in another one is in the answer, and
// what mends it, too. Each archive in testdata is one shape of such a workspace.
package roots
