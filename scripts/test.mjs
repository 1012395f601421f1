import { main, run, vitest } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

await main(async () => {
  await ensureDependencies()
  return run(...vitest(process.argv.slice(2)))
})
