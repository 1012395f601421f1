import { join } from 'node:path'
import { main, root, run } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

// Real processes and a real server that are tortured: see test/torture/main.ts for its options.
await main(async () => {
  await ensureDependencies()
  const loader = join(root, 'test/typescript-loader.mjs')
  return run(process.execPath, ['--import', loader, join(root, 'test/torture/main.ts'), ...process.argv.slice(2)])
})
