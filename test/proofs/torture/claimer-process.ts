import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { claimUntil } from './claimer.ts'

/** Claimers in a process of their own, which works until its input ends or it is killed. */
const { url, claimers } = JSON.parse(process.argv[2] ?? '{}') as { url: string; claimers: number }

let isOver = false
process.stdin.on('end', () => (isOver = true)).resume()
const source = postgres(url, { maxConnections: 2 })
await Promise.all(
  Array.from({ length: claimers }, async () => {
    const store = await source.open({ env: systemEnv, logger: silentLogger })
    await claimUntil(store, () => isOver)
    await store.close()
  }),
)
