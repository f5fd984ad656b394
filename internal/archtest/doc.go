// Package archtest keeps the shape of the code base true: which room may
// import which, and a few habits a machine can check. The rules are functions
// of plain data, so that tests can show each of them failing.
package archtest
