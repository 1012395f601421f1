import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PONTUAL, RunningProgram } from './command.ts'

/** A user's directory, and `pontual` in it. Gone at the end. */
export class DevProject implements AsyncDisposable {
  readonly directory: string

  private constructor(directory: string) {
    this.directory = directory
  }

  static async open(files: Readonly<Record<string, string>> = {}): Promise<DevProject> {
    const project = new DevProject(await realpath(await mkdtemp(join(tmpdir(), 'pontual-project-'))))
    for (const [path, text] of Object.entries(files)) await project.write(path, text)
    return project
  }

  run(...args: readonly string[]): RunningProgram {
    return new RunningProgram([PONTUAL, ...args], { PONTUAL_LOG: 'warn' }, this.directory)
  }

  async write(path: string, text: string): Promise<void> {
    const file = join(this.directory, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }

  async read(path: string): Promise<string> {
    return await readFile(join(this.directory, path), 'utf8')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }
}

/** Where a `pontual dev` listens, once it does. */
export async function addressOf(running: RunningProgram): Promise<string> {
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/Ctrl\+C ends it/)) ?? []
  return url
}

export async function answer<Body>(url: string, path: string, body?: object): Promise<Body> {
  const asked = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await (await fetch(`${url}${path}`, asked)).json()) as Body
}

/** Names of the jobs that are the user's own. */
export async function ownJobs(url: string): Promise<string[]> {
  const { items } = await answer<{ items: { name: string }[] }>(url, '/api/jobs')
  return items.map(({ name }) => name).filter((name) => !name.startsWith('pontual.'))
}
