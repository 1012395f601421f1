import { DATABASES, ON_STOCK_SERVER, OTHERS } from './longer-tests.mjs'
import { main, run, vitest } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

/** Tests in real time, and servers that answer slowly, need the cores. */
const REAL_TIME = ['--maxWorkers', '2']

await main(async () => {
  await ensureDependencies()
  const asked = process.argv.slice(2)
  if (asked.length === 1 && asked[0] === 'others')
    return (await run(...vitest([...OTHERS, ...REAL_TIME]))) || (await onStockServer(ON_STOCK_SERVER))
  if (asked[0] === 'stock') return await onStockServer(asked.length > 1 ? asked.slice(1) : ON_STOCK_SERVER)
  const left = [...OTHERS, ...DATABASES].flatMap((path) => ['--exclude', excluded(path)])
  return run(...vitest(asked.length > 0 ? asked : left))
})

/** Scenarios on the PostgreSQL of the system. Time is moved by hand, but a server with two cores answers slowly. */
async function onStockServer(paths) {
  const env = { ...process.env, PONTUAL_SCENARIO_STORE: 'stock' }
  return await run(...vitest([...paths, '--testTimeout', '300000', ...REAL_TIME]), { env })
}

function excluded(path) {
  return path.endsWith('/') ? `${path}**` : path
}
