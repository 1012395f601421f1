import { join } from 'node:path'
import { main, root, run } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

// Inputs that nobody thought of: see test/fuzz/main.ts for its options.
await main(async () => {
  await ensureDependencies()
  const loader = join(root, 'test/typescript-loader.mjs')
  return run(process.execPath, ['--import', loader, join(root, 'test/fuzz/main.ts'), ...process.argv.slice(2)])
})
