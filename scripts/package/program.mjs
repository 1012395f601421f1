import { spawn } from 'node:child_process'
import { ScriptError } from '../run.mjs'

/** Whatever takes longer hangs. */
const LIMIT_MS = 180_000
const URL_PATTERN = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/

/** Runs a program beside us while `use` uses it, and ends it then, whatever happens. `env` is added to ours, but for what is of Pontual. */
export async function withProgram(node, args, { cwd, env }, use) {
  const program = new Program(
    spawn(node, args, { cwd, env: { ...ownEnvironment(), ...env }, timeout: LIMIT_MS, killSignal: 'SIGKILL' }),
  )
  try {
    return await use(program)
  } finally {
    await program.stop('SIGKILL')
  }
}

class Program {
  output = ''
  errors = ''
  /** Resolves with `{ code, output, errors }`. */
  ended
  #child

  constructor(child) {
    this.#child = child
    child.stdout.setEncoding('utf8').on('data', (text) => (this.output += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (this.errors += text))
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ code, output: this.output, errors: this.errors }))
    })
  }

  /** What it has printed, once that matches. */
  async until(pattern) {
    const found = new Promise((resolve) => {
      const look = () => {
        const match = pattern.exec(this.output)
        if (match) resolve(match)
      }
      this.#child.stdout.on('data', look)
      look()
    })
    const early = this.ended.then(({ code, output, errors }) => {
      // What it printed last may have come with its end.
      const match = pattern.exec(output)
      if (match) return match
      throw new ScriptError(`A program ended with ${code} and without ${pattern}:\n${output}${errors}`)
    })
    return await Promise.race([found, early])
  }

  /** Where it listens, once it says so. */
  async url() {
    const [url] = await this.until(URL_PATTERN)
    return url
  }

  stopReading() {
    this.#child.stdout.destroy()
  }

  /** It does nothing more, and holds what it has. */
  pause() {
    this.#child.kill('SIGSTOP')
  }

  /** Asks it to end, and resolves when it has. */
  async stop(signal = 'SIGTERM') {
    this.#child.kill(signal)
    return await this.ended
  }
}

function ownEnvironment() {
  const isOurs = (name) => name === 'DATABASE_URL' || name.startsWith('PONTUAL_') || name.startsWith('npm_')
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
}
