import { join } from 'node:path'
import { main, root, run } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

/** Runs a program that is TypeScript, with the options we were given, and ends as it does. */
export async function runSource(path) {
  await main(async () => {
    await ensureDependencies()
    const loader = join(root, 'test/harness/typescript-loader.mjs')
    return run(process.execPath, ['--import', loader, join(root, path), ...process.argv.slice(2)])
  })
}
