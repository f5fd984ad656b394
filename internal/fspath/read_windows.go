package fspath

// notWaiting: no file below a folder is a pipe.
const notWaiting = 0
