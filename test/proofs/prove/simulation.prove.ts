import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const LOADER = new URL('../../harness/typescript-loader.mjs', import.meta.url).href
const PROGRAM = fileURLToPath(new URL('../simulation/main.ts', import.meta.url))

/** How long seeds are run that were not run before; a release takes a million. */
const MINUTES = process.env['PONTUAL_PROVE_MINUTES'] ?? '30'
const FROM = process.env['PONTUAL_PROVE_FROM'] ?? '1000000'
/** In place of the minutes. */
const SEEDS = process.env['PONTUAL_PROVE_SEEDS']

async function simulate(...args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, ['--import', LOADER, PROGRAM, ...args], { stdio: 'inherit' })
  return await new Promise((resolve) => child.once('close', resolve))
}

describe('the simulation', { timeout: 3_600_000 }, () => {
  it('finds every planted bug within 2,000 seeds', async () => {
    expect(await simulate('--planted', 'all', '--within', '2000')).toBe(0)
  })

  it('finds nothing in what is not planted', async () => {
    const many = SEEDS === undefined ? ['--minutes', MINUTES] : ['--seeds', SEEDS]
    expect(await simulate(...many, '--from', FROM)).toBe(0)
  })
})
