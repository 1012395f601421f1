import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { capture, main, npm, root, run, ScriptError, tool } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

await main(async () => {
  await ensureDependencies()
  await step('no file names a registry or a path of this machine', checkAddresses)
  await step('package-lock.json is whole', () => runNpm(['ci', '--dry-run']))
  await build()
  const folder = mkdtempSync(join(tmpdir(), 'pontual-package-'))
  try {
    const tarball = await step('npm pack', () => pack(folder))
    await step('publint', () => runTool('publint', 'publint', [tarball, '--strict']))
    await step('attw', () => runTool('@arethetypeswrong/cli', 'attw', [tarball, '--profile', 'esm-only']))
    await step('knip', () => runTool('knip', 'knip', ['--no-config-hints']))
    await step('the packed package works in an empty project', () => useInEmptyProject(folder, tarball))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function step(name, action) {
  console.log(`\n— ${name}`)
  return await action()
}

async function runTool(packageName, binName, args) {
  const code = await run(...tool(packageName, binName, args))
  if (code !== 0) throw new ScriptError(`${binName} ended with ${code}.`)
}

async function runNpm(args, options = {}) {
  const [command, npmArgs, npmOptions] = npm(['--loglevel=error', ...args])
  return await capture(command, npmArgs, { ...npmOptions, ...options })
}

async function checkAddresses() {
  if (readFileSync(join(root, 'package-lock.json'), 'utf8').includes('"resolved"')) {
    throw new ScriptError(
      'package-lock.json holds "resolved" addresses: delete it and run npm install, .npmrc leaves them out.',
    )
  }
  const registry = new URL((await runNpm(['config', 'get', 'registry'])).trim()).host
  const forbidden = [
    { what: 'a path of this machine', pattern: /(?<![\w.~-])\/work\// },
    { what: 'a path of this machine', pattern: literally(root) },
    { what: 'a registry address', pattern: /\/\/registry\./ },
    { what: 'a registry address', pattern: literally(`//${registry}`) },
  ]
  const found = (await listFiles()).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return forbidden.filter(({ pattern }) => pattern.test(text)).map(({ what }) => `${path} holds ${what}.`)
  })
  if (found.length > 0) throw new ScriptError([...new Set(found)].join('\n'))
}

function literally(text) {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}

/** What git tracks, and what it would track once added. */
async function listFiles() {
  // A clone may belong to another user than the one who checks it.
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = (await capture('git', args)).split('\0')
  return [...new Set(paths)].filter((path) => path && statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
}

async function pack(folder) {
  const [{ filename, files, size }] = JSON.parse(
    await runNpm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder]),
  )
  const paths = files.map(({ path }) => path)
  console.log(`${paths.length} files, ${Math.round(size / 1024)} KiB`)
  const missing = ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/index.js'].filter((path) => !paths.includes(path))
  const surplus = paths.filter((path) => /\.test\.|^src\/|\.stamp$/.test(path))
  if (missing.length > 0) throw new ScriptError(`The package lacks ${missing.join(', ')}.`)
  if (surplus.length > 0) throw new ScriptError(`The package holds what users do not need: ${surplus.join(', ')}.`)
  return join(folder, filename)
}

async function useInEmptyProject(folder, tarball) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', tarball], { cwd: folder })
  writeFileSync(
    join(folder, 'use.mjs'),
    `import assert from 'node:assert/strict'
    import * as pontual from 'pontual'
    import { cron } from 'pontual/time'
    const next = cron('0 9 * * 1-5', { timeZone: 'America/Sao_Paulo' }).next(0)
    assert.equal(next, Date.UTC(1970, 0, 1, 12))
    assert.equal(typeof pontual.cron, 'function')

    // A year of schedules in memory, and a day on the embedded database.
    const { testPontual } = await import('pontual/testing')
    const { pglite } = await import('pontual/pglite')
    const { postgres } = await import('pontual/postgres')
    assert.equal(postgres('postgres://127.0.0.1/none').kind, 'postgres')
    let runs = 0
    const daily = pontual.job('daily', { schedule: { trigger: cron('0 2 * * *') }, run: () => void (runs += 1) })
    for (const [store, time, expected] of [[pontual.memory(), '1 year', 365], [pglite(), '1 day', 1]]) {
      runs = 0
      const test = await testPontual({ store, jobs: [daily] })
      await test.advance(time)
      await test.stop()
      await store.dispose?.()
      assert.equal(runs, expected)
    }

    const { createApi } = await import('pontual/server')
    const app = pontual.pontual({ application: 'packed', store: pontual.memory(), jobs: [daily] })
    const ada = { tenant: 'default', userId: 'ada', profile: 'Admin' }
    const api = await createApi(app, { identity: { authenticate: () => ada } })
    await app.start()
    const answer = await api.fetch(new Request('http://localhost/api/jobs'))
    assert.deepEqual((await answer.json()).items.map(({ name }) => name), ['daily'])
    api.close()
    await app.stop()`,
  )
  await capture(process.execPath, ['use.mjs'], { cwd: folder })
  await compileInEmptyProject(folder)
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const explain = ['exec', '--no', '--', name, 'cron', 'explain', '0 9 * * 1-5', '--json']
  JSON.parse(await runNpm(explain, { cwd: folder }))
  await stopReadingEarly()
}

/** A reader that stops early, as head does, is no reason to fail. */
async function stopReadingEarly() {
  const command = [join(root, 'dist/cli/main.js'), 'cron', 'explain', '* * * * * *', '--count', '1000']
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0 || complaint) throw new ScriptError(`A closed output made the command end with ${code}: ${complaint}`)
}

/** Whoever exports what a function of ours returns needs to be able to name its type in a declaration file. */
async function compileInEmptyProject(folder) {
  writeFileSync(
    join(folder, 'use.ts'),
    `import * as time from 'pontual/time'
    export const trigger = time.simple({ startAt: 0, interval: '5m' })
    export const once = time.once(0)
    export const monthly = time.calendarInterval({ startAt: 0, every: 1, unit: 'month' })
    export const daily = time.dailyTimeInterval({ every: 1, unit: 'hour' })
    export const spread = time.withJitter(time.cron('@hourly'), { within: '5m', identity: 'a' })
    export const weekend = time.weeklyCalendar({ base: time.holidayCalendar({ dates: [] }) })
    export const years = [time.annualCalendar({ days: [] }), time.monthlyCalendar({ days: [] })]
    export const hours = [time.dailyCalendar({ from: '08:00', to: '09:00' }), time.cronCalendar('* 0-7 * * *')]
    import { type JobContext, job, memory, pontual } from 'pontual'
    import { pglite } from 'pontual/pglite'
    import { postgres } from 'pontual/postgres'
    import { testPontual } from 'pontual/testing'
    export const greet = job('greet', { run: ({ name }: { name: string }, { signal }: JobContext) => [name, signal] })
    export const app = pontual({ store: memory(), jobs: [greet] })
    export const asked = () => app.enqueue(greet, { name: 'Ada' }, { delay: '5m', priority: 'HIGH' })
    export const stores = [pglite(), postgres('postgres://localhost/test')]
    export const test = () => testPontual({ jobs: [greet] })
    export const resolve = (now: number) =>
      time.resolveMisfires({ state: time.initialState(trigger, now, weekend), rules: time.misfireRules() }, now)`,
  )
  // What serves speaks of node:http: whoever uses it from TypeScript has the types of Node.
  writeFileSync(
    join(folder, 'use-server.ts'),
    `import { builtInTypes, createApi, expressHandler, fastifyPlugin, honoMiddleware, nextHandlers, nodeListener, serve } from 'pontual/server'
    import { app } from './use.ts'
    export const api = await createApi(app, { identity: { apiKeys: true }, prefix: '/ops' })
    export const { service } = api
    export const served = () => serve(api, { port: 0 })
    export const listener = nodeListener(api, { prefix: '/ops' })
    export const [express, fastify, hono] = [expressHandler(api), fastifyPlugin(api), honoMiddleware(api)]
    export const { GET, POST } = nextHandlers(api)
    export const types = builtInTypes(() => app)`,
  )
  await compile(folder, 'use.ts', [])
  await compile(folder, 'use-server.ts', ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')])
}

async function compile(folder, file, more) {
  const options = ['--strict', '--declaration', '--module', 'nodenext', '--target', 'es2022', '--outDir', 'out']
  const rewriting = '--rewriteRelativeImportExtensions'
  const code = await run(...tool('typescript', 'tsc', [...options, rewriting, ...more, file]), { cwd: folder })
  if (code !== 0) throw new ScriptError('The types of the packed package cannot be used.')
}
