// Package load holds the stories of many clients at once, over HTTP and with real language servers.
package load
