// Package skills follows each guide for agents to the letter: it asks the product for the text, makes the
// calls that the text names, in their order, on a real project with real servers, and looks at what came
// of it.
package skills
