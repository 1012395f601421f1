import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** An error whose message is all the user needs; it is printed without a stack. */
export class ScriptError extends Error {}

/** Runs a script's main function and turns what it throws into an exit code. */
export async function main(script) {
  try {
    process.exitCode = (await script()) ?? 0
  } catch (error) {
    console.error(error instanceof ScriptError ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}

/** Runs a program to its end and resolves to its exit code; its input and output are ours. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    const forward = (signal) => child.kill(signal)
    // A terminal sends Ctrl-C to the child as well; the child decides, and this process ends with it.
    const wait = () => {}
    const listeners = { SIGINT: wait, SIGTERM: forward, SIGHUP: forward }
    for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      for (const [name, listener] of Object.entries(listeners)) process.off(name, listener)
      if (signal) process.kill(process.pid, signal)
      resolve(code ?? 1)
    })
  })
}

/** Runs a program, resolves to what it printed, and fails with all of its output. */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(stdout)
      else reject(new ScriptError(`${[command, ...args].join(' ')} ended with ${code}:\n${stdout}${stderr}`))
    })
  })
}

/** How to start a tool of node_modules without a shell, on every platform: [command, arguments]. */
export function tool(packageName, binName, args = []) {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [process.execPath, [join(folder, typeof bin === 'string' ? bin : bin[binName]), ...args]]
}

/** How to start vitest: [command, arguments]. */
export function vitest(args) {
  // This loader writes no temporary file into node_modules, which may belong to another user.
  return tool('vitest', 'vitest', ['run', '--configLoader', 'runner', ...args])
}

/** How to start the npm that started us, or the one on the path: [command, arguments, options]. */
export function npm(args) {
  const path = process.env.npm_execpath
  if (path?.endsWith('npm-cli.js')) return [process.execPath, [path, ...args], {}]
  return ['npm', args, { shell: process.platform === 'win32' }]
}

/** Runs npm, resolves to what it printed, and fails with all of its output. */
export async function captureNpm(args, options = {}) {
  const [command, npmArgs, npmOptions] = npm(['--loglevel=error', ...args])
  return await capture(command, npmArgs, { ...npmOptions, ...options })
}

/** Says what is done, and does it. */
export async function step(name, action) {
  console.log(`\n— ${name}`)
  return await action()
}
