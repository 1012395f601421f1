import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOf } from '../fetch-node.mjs'
import { capture, captureNpm, root, run, ScriptError, tool } from '../run.mjs'
import { installPacked, requireNoInstallScripts } from './install-packed.mjs'
import { withProgram } from './program.mjs'

/** The oldest that is accepted, and the newest that is supported for long. */
const NODES = [20, 24]

/** Installs the packed package into an empty project, and uses all of it there. */
export async function useInEmptyProject(folder, tarball) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await installPacked(folder, [tarball])
  requireNoInstallScripts(folder)
  cpSync(fileURLToPath(new URL('project', import.meta.url)), folder, { recursive: true })
  await compile(folder, 'use.ts', [])
  await compileToCommonJs(folder)
  await compile(folder, 'use-server.ts', ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')])
  JSON.parse(
    await captureNpm(['exec', '--no', '--', 'pontual', 'cron', 'explain', '0 9 * * 1-5', '--json'], { cwd: folder }),
  )
  const command = join(folder, 'node_modules/pontual/dist/cli/main.js')
  for (const major of NODES) {
    const node = await nodeOf(major)
    await capture(node, ['use.mjs'], { cwd: folder })
    await stopReadingEarly(node, command, folder)
    await serveDemo(node, command, folder)
    await serveNewProject(node, command, folder, major)
    console.log(`Node ${major}: the library, the API, the dashboard, the command and a new project work.`)
  }
}

async function compile(folder, file, more) {
  const options = ['--strict', '--declaration', '--module', 'nodenext', '--target', 'es2022', '--outDir', 'out']
  const rewriting = '--rewriteRelativeImportExtensions'
  const code = await run(...tool('typescript', 'tsc', [...options, rewriting, ...more, file]), { cwd: folder })
  if (code !== 0) throw new ScriptError('The types of the packed package cannot be used.')
}

/** The same file as a CommonJS module, for TypeScript's options of such projects. */
async function compileToCommonJs(folder) {
  const name = 'use-commonjs.cts'
  cpSync(join(folder, 'use.ts'), join(folder, name))
  for (const how of [
    ['--module', 'node16'],
    ['--module', 'commonjs', '--moduleResolution', 'bundler'],
  ]) {
    const options = ['--strict', '--declaration', '--target', 'es2022', '--noEmit', ...how]
    const code = await run(...tool('typescript', 'tsc', [...options, name]), { cwd: folder })
    if (code !== 0) throw new ScriptError(`The types of the packed package cannot be used with ${how.join(' ')}.`)
  }
}

/** A reader that stops early, as head does, is no reason to fail. */
async function stopReadingEarly(node, command, folder) {
  const args = [command, 'cron', 'explain', '* * * * * *', '--count', '1000']
  await withProgram(node, args, { cwd: folder }, async (program) => {
    program.stopReading()
    const { code, errors } = await program.ended
    if (code !== 0 || errors) throw new ScriptError(`A closed output made the command end with ${code}: ${errors}`)
  })
}

/** `pontual dev` without anything else: living jobs, and a dashboard that shows them. */
async function serveDemo(node, command, folder) {
  await withProgram(node, [command, 'dev', '--memory', '--port', '0'], { cwd: folder }, async (program) => {
    const url = await program.url()
    const { items } = await (await fetch(`${url}/api/jobs`)).json()
    const page = await (await fetch(`${url}/jobs/`)).text()
    if (items.length < 10 || !page.includes('<script')) throw new ScriptError('pontual dev shows nothing.')
    await end(program)
  })
}

/** What `pontual init` writes: TypeScript that compiles, and that `pontual dev` runs without a build. */
async function serveNewProject(node, command, folder, major) {
  const name = `project-${major}`
  await capture(node, [command, 'init', name], { cwd: folder })
  const project = join(folder, name)
  const check = tool('typescript', 'tsc', ['-p', project, '--typeRoots', join(root, 'node_modules/@types')])
  if ((await run(...check)) !== 0) throw new ScriptError('What pontual init writes does not compile.')
  await withProgram(node, [command, 'dev', '--port', '0'], { cwd: project }, async (program) => {
    const { items } = await (await fetch(`${await program.url()}/api/jobs`)).json()
    const isThere = items.some((job) => job.name === 'greet')
    if (!isThere) throw new ScriptError(`What pontual init writes has no job "greet": ${JSON.stringify(items)}`)
    await end(program)
  })
}

async function end(program) {
  const { code, errors } = await program.stop()
  if (code !== 0) throw new ScriptError(`pontual dev ended with ${code}: ${errors}`)
}
