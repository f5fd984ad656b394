#!/usr/bin/env node
// Runs the program out of the package for this system, one of the optional dependencies.
"use strict"
const { spawn } = require("node:child_process")
const name = `@lspine/${process.platform}-${process.arch}`
const file = process.platform === "win32" ? "lspine.exe" : "lspine"

let program
try {
  program = require.resolve(`${name}/bin/${file}`)
} catch {
  console.error(`lspine: the package ${name} is not installed: npm has left out the optional dependencies, or there is none for this system`)
  process.exit(2)
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true })
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("error", (error) => {
  console.error(`lspine: ${error.message}`)
  process.exit(2)
})
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code)
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(name)
  process.kill(process.pid, signal)
})
