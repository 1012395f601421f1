import { join } from 'node:path'
import { main, root, run } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

// Minutes under a load that stays the same, and what must not grow, stop or come late meanwhile: see test/soak/main.ts for its options.
await main(async () => {
  await ensureDependencies()
  const loader = join(root, 'test/typescript-loader.mjs')
  return run(process.execPath, ['--import', loader, join(root, 'test/soak/main.ts'), ...process.argv.slice(2)])
})
