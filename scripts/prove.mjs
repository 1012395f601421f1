import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASES } from './longer-tests.mjs'
import { main, root, run, ScriptError, vitest } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

const folder = 'test/proofs/prove'
const suffix = '.prove.ts'

/** Parts that are more than their files: tests of `npm test` that leave out there what takes long, and proofs that measure and want the machine for themselves. */
const special = {
  browser: {
    options: ['--no-file-parallelism'],
    tests: ['test/browser/'],
    env: { PONTUAL_BROWSER: 'all' },
    packages: ['chromium'],
  },
  databases: { tests: DATABASES, hasOwn: false, packages: ['pgbouncer'] },
  hints: { packages: ['pgbouncer'] },
}

await main(async () => {
  await ensureDependencies()
  const known = listParts()
  const args = process.argv.slice(2)
  const chosen = args.filter((arg) => !arg.startsWith('-'))
  const options = args.filter((arg) => arg.startsWith('-') && arg !== '--record' && arg !== '--list')
  // Whatever a part starts finds it in its environment: it writes its section of docs/proof/figures.md.
  if (args.includes('--record')) process.env.PONTUAL_RECORD = '1'
  const unknown = chosen.filter((part) => !known.includes(part))
  if (unknown.length > 0) {
    throw new ScriptError(
      `No part ${unknown.map((part) => `"${part}"`).join(', ')}. Known: ${known.join(', ') || 'none'}.`,
    )
  }
  if (args.includes('--list')) {
    console.log(known.join('\n'))
    return 0
  }
  if (known.length === 0) {
    console.log(`There is nothing to prove yet: ${folder} holds no *${suffix} file.`)
    return 0
  }

  const results = []
  for (const part of chosen.length > 0 ? chosen : known) results.push(await prove(part, options))
  console.log('\nProofs')
  console.table(results)
  return results.every(({ result }) => result === 'proved') ? 0 : 1
})

async function prove(part, options) {
  console.log(`\nProving ${part} …`)
  const startedAt = performance.now()
  const paths = [`${folder}/${part}${suffix}`, `${folder}/${part}/`]
  const { options: own = [], tests, env, hasOwn = true, packages } = special[part] ?? {}
  if (packages) await run(process.execPath, ['scripts/install-packages.mjs', ...packages])
  const codes = []
  if (hasOwn) codes.push(await run(...vitest(['--config', 'vitest.prove.config.ts', ...paths, ...own, ...options])))
  if (tests) codes.push(await run(...vitest([...tests, ...options]), { env: { ...process.env, ...env } }))
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1))
  return { part, result: codes.every((code) => code === 0) ? 'proved' : 'FAILED', seconds }
}

/** A part is a file test/proofs/prove/<part>.prove.ts or a folder test/proofs/prove/<part>/ of such files. */
function listParts() {
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder), { recursive: true }).filter((path) => path.endsWith(suffix))
  const own = files.map((path) => path.split(/[\\/]/)[0].replace(suffix, ''))
  return [...new Set([...own, ...Object.keys(special)])].sort()
}
