// Package service holds the stories of hosts that embed the product: the built binary as a
// child process, over its standard streams and the descriptors 3 and 4.
package service
