// Package agents knows coding agents from outside: where each keeps its configuration, and
// what has to stand there for it to run our hooks. It plans changes of those files, which a
// person can look at first, makes them, and takes exactly them away again.
package agents
