// Keeps Node.js from loading modules that lie in a folder: the checkout of a workspace that is not trusted. JSON is data,
// and may be read. Node.js loads this file before anything else, in each process and thread that has the variables.
'use strict'
const Module = require('node:module')
const fs = require('node:fs')
const path = require('node:path')
const { fileURLToPath } = require('node:url')

const folder = process.env.LSPINE_NODE_LOADS_NOTHING_IN

// The system may know one file by several spellings of its name, so files are compared as it spells them.
const real = (file) => { try { return fs.realpathSync.native(file) } catch { return path.resolve(file) } }

function refused (file) {
  if (path.extname(file) === '.json') return false
  const relative = path.relative(real(folder), real(file))
  return relative === '' || (relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative))
}

function refusal (file, code) {
  const error = new Error(file + ' lies in a checkout that is not trusted')
  error.code = code
  return error
}

if (folder) {
  const resolve = Module._resolveFilename
  Module._resolveFilename = function (...args) {
    const file = resolve.apply(this, args)
    if (path.isAbsolute(file) && refused(file)) throw refusal(file, 'MODULE_NOT_FOUND')
    return file
  }
  for (const extension of Object.keys(Module._extensions)) {
    const load = Module._extensions[extension]
    Module._extensions[extension] = function (module, file) {
      if (refused(file)) throw refusal(file, 'MODULE_NOT_FOUND')
      return load.apply(this, arguments)
    }
  }
  const dlopen = process.dlopen
  process.dlopen = function (module, file, ...rest) {
    if (refused(String(file))) throw refusal(file, 'ERR_DLOPEN_FAILED')
    return dlopen.call(this, module, file, ...rest)
  }
  // A thread or a process with an environment of its own has this file, too.
  const kept = { NODE_OPTIONS: process.env.NODE_OPTIONS, LSPINE_NODE_LOADS_NOTHING_IN: folder }
  const threads = require('node:worker_threads')
  const Worker = threads.Worker
  threads.Worker = class extends Worker {
    constructor (file, options) {
      const own = options?.env && options.env !== threads.SHARE_ENV
      super(file, own ? { ...options, env: { ...options.env, ...kept } } : options)
    }
  }
  const { ChildProcess } = require('node:child_process')
  const spawn = ChildProcess.prototype.spawn
  ChildProcess.prototype.spawn = function (options) {
    if (Array.isArray(options?.envPairs)) {
      const others = options.envPairs.filter((pair) => !(pair.slice(0, pair.indexOf('=')) in kept))
      options = { ...options, envPairs: [...others, ...Object.entries(kept).map((pair) => pair.join('='))] }
    }
    return spawn.call(this, options)
  }
  Module.syncBuiltinESMExports()
  if (Module.registerHooks) {
    Module.registerHooks({
      load (url, context, next) {
        if (url.startsWith('file:') && refused(fileURLToPath(url))) throw refusal(fileURLToPath(url), 'ERR_MODULE_NOT_FOUND')
        return next(url, context)
      }
    })
  } else {
    // They run in a thread of their own, in which this file is not loaded.
    const hooks = `
      import { realpathSync } from 'node:fs'
      import path from 'node:path'
      import { fileURLToPath } from 'node:url'
      let folder
      const real = (file) => { try { return realpathSync.native(file) } catch { return path.resolve(file) } }
      const refusal = ${refusal}
      const refused = ${refused}
      export function initialize (data) { folder = data }
      export async function load (url, context, next) {
        if (url.startsWith('file:') && refused(fileURLToPath(url))) throw refusal(fileURLToPath(url), 'ERR_MODULE_NOT_FOUND')
        return next(url, context)
      }`
    // Without it, no module of ECMAScript would be kept from loading, so Node.js ends.
    if (!Module.register) throw new Error('this Node.js cannot be kept from running the modules of a checkout that is not trusted: it needs 18.19 or later')
    Module.register('data:text/javascript,' + encodeURIComponent(hooks), { data: folder })
  }
}
