import process from 'node:process'
import { parseArgs } from 'node:util'
import { findPlanted } from './find-planted.ts'
import { replay } from './replay.ts'
import { runMany } from './run-many.ts'

const USAGE = `npm run simulate -- [--seeds 2000 | --minutes 10] [--from 1] [--record]
npm run simulate -- --seed 364 [--faults seed-364.faults.json]
npm run simulate -- --planted all [--within 2000] [--record]`

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string' },
        minutes: { type: 'string' },
        from: { type: 'string', default: '1' },
        seed: { type: 'string' },
        faults: { type: 'string' },
        planted: { type: 'string' },
        within: { type: 'string', default: '2000' },
        record: { type: 'boolean', default: false },
      },
    })
    const { seed, planted, minutes, seeds } = values
    if (seed !== undefined) return await replay(whole(seed, 'seed'), values.faults)
    if (planted !== undefined) return await findPlanted(planted, whole(values.within, 'within'))
    if (minutes !== undefined && seeds !== undefined) throw new TypeError('Either --seeds or --minutes, not both.')
    const from = whole(values.from, 'from')
    if (minutes !== undefined) return await runMany({ from, count: null, minutes: whole(minutes, 'minutes') })
    return await runMany({ from, count: whole(seeds ?? '2000', 'seeds'), minutes: null })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    console.error(`${error.message}\n${USAGE}`)
    return 2
  }
}

function whole(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new TypeError(`--${name} must be a whole number, got ${JSON.stringify(text)}.`)
}
