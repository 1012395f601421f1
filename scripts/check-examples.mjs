import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { checkDurableOrder } from './examples/durable-order.mjs'
import { checkExpress } from './examples/express.mjs'
import { checkFastify } from './examples/fastify.mjs'
import { checkLibrary } from './examples/library.mjs'
import { checkNext } from './examples/next.mjs'
import { checkServiceWithMail } from './examples/service-with-mail.mjs'
import { nodeOf } from './fetch-node.mjs'
import { installPacked } from './package/install-packed.mjs'
import { pack } from './package/pack.mjs'
import { main, root, ScriptError, step } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

/** What shows that an example works, and under which versions of Node it is tried; what takes longest goes first. */
const EXAMPLES = {
  next: { check: checkNext, nodes: [20] },
  library: { check: checkLibrary, nodes: [20, 24] },
  'durable-order': { check: checkDurableOrder, nodes: [20, 24] },
  'service-with-mail': { check: checkServiceWithMail, nodes: [20] },
  express: { check: checkExpress, nodes: [20, 24] },
  fastify: { check: checkFastify, nodes: [20] },
}

/** They wait for much of their time. */
const AT_ONCE = 2

const examples = join(root, 'examples')

await main(async () => {
  await ensureDependencies()
  await ensureBuilt()
  const chosen = chooseExamples(process.argv.slice(2))
  const folder = mkdtempSync(join(tmpdir(), 'pontual-examples-'))
  try {
    const tarball = await step('npm pack', () => pack(folder))
    await step('install the packed package, and what the examples need beside it', () =>
      install(folder, chosen, tarball),
    )
    await step('run the examples', () => checkAll(folder, chosen))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Those that are named, or all. None may be without a check. */
function chooseExamples(asked) {
  const entries = readdirSync(examples, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => name)
  const unchecked = names.filter((name) => !(name in EXAMPLES))
  if (unchecked.length > 0) throw new ScriptError(`Nothing checks examples/${unchecked.join(', examples/')}.`)
  const unknown = asked.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new ScriptError(`No example ${unknown.join(', ')}. Known: ${names.join(', ')}.`)
  return asked.length > 0 ? asked : Object.keys(EXAMPLES)
}

/** One folder with what all of them need: each is copied below it, and finds it there. */
async function install(folder, names, tarball) {
  const manifests = names.map((name) => JSON.parse(readFileSync(join(examples, name, 'package.json'), 'utf8')))
  const dependencies = Object.assign({}, ...manifests.map((manifest) => manifest.dependencies), {
    pontual: `file:${basename(tarball)}`,
  })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  await installPacked(folder, [])
}

async function checkAll(folder, names) {
  const waiting = names.flatMap((name) => EXAMPLES[name].nodes.map((major) => ({ name, major })))
  const failures = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await check(folder, next).catch((error) => failures.push(`${next.name}, Node ${next.major}: ${error.stack}`))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (failures.length > 0) throw new ScriptError(failures.join('\n\n'))
}

async function check(folder, { name, major }) {
  const startedAt = performance.now()
  const copy = join(folder, `node-${major}`, name)
  const isShipped = (path) => !['node_modules', '.data', '.next'].includes(basename(path))
  cpSync(join(examples, name), copy, { recursive: true, filter: isShipped })
  await EXAMPLES[name].check({ node: await nodeOf(major), folder: copy, installed: join(folder, 'node_modules') })
  console.log(`${name}, Node ${major}: works (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`)
}
