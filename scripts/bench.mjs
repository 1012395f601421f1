import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { main, root, run, ScriptError } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

await main(async () => {
  await ensureDependencies()
  const known = listBenchmarks()
  const chosen = process.argv.slice(2)
  const unknown = chosen.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new ScriptError(
      `No benchmark ${unknown.map((name) => `"${name}"`).join(', ')}. Known: ${known.join(', ') || 'none'}.`,
    )
  }
  if (known.length === 0) throw new ScriptError('There is no benchmark: bench/ holds no .mjs file.')

  // What Pontual is compared with is installed for whoever compares.
  await ensureDependencies('bench')
  await ensureBuilt()
  const failed = []
  for (const name of chosen.length > 0 ? chosen : known) {
    const code = await run(process.execPath, [join(root, 'bench', `${name}.mjs`)])
    if (code !== 0) failed.push(`"${name}" ended with ${code}`)
  }
  // One that fails keeps none of the others from its result.
  if (failed.length > 0) throw new ScriptError(`Benchmarks failed: ${failed.join(', ')}.`)
})

function listBenchmarks() {
  const folder = join(root, 'bench')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.mjs') && !name.startsWith('_'))
    .map((name) => name.slice(0, -'.mjs'.length))
    .sort()
}
