import type pg from 'pg'
import { InvalidInputError } from '../../../src/errors.ts'
import type { Pontual } from '../../../src/index.ts'
import { plain, verbose } from './job-types.ts'
import { judge, type Verdict } from './part.ts'

const MIB = 2 ** 20
const TENANT = 'verbose'

/** What one execution may leave behind has an end: its input, its output and its log. */
export async function checkCaps(app: Pontual, client: pg.Client): Promise<Verdict> {
  const isRefused = await refuses(() => app.enqueue(plain, { n: 1, text: 'x'.repeat(MIB) } as { n: number }))
  const run = async (input: { logBytes: number; outputBytes: number }) => {
    const { id } = await app.enqueue(verbose, input, { tenant: TENANT })
    return await app.waitFor(id, { timeout: '5m' })
  }
  const tooLarge = await run({ logBytes: 0, outputBytes: 2 * MIB })
  const tooLong = await run({ logBytes: 12 * MIB, outputBytes: 0 })
  const { rows } = await client.query<{ bytes: number }>(
    `select coalesce(sum(octet_length(message) + coalesce(octet_length(fields), 0)), 0)::float8 as bytes
    from pontual.execution_logs
    where execution_id = $1`,
    [tooLong.id],
  )
  const of = { section: 'load', invariants: ['I29'] } as const
  return judge([
    {
      ...of,
      what: 'log that is kept of 12 MiB that were written',
      value: toMib(rows[0]?.bytes ?? 0),
      unit: 'MiB',
      atMost: 10.1,
    },
    {
      ...of,
      what: 'inputs and outputs beyond 1 MiB that were stored',
      value: Number(!isRefused) + Number(tooLarge.status !== 'FAILED'),
      atMost: 0,
    },
  ])
}

async function refuses(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return false
  } catch (error) {
    return error instanceof InvalidInputError && error.code === 'payload.too_large'
  }
}

function toMib(bytes: number): number {
  return Number((bytes / MIB).toFixed(2))
}
