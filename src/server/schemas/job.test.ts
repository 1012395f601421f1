import { expect, it } from 'vitest'
import { jobUpdate } from './job.ts'

it.each([{}, [], '2', 'x'.repeat(100_000), 1.5, null])(
  'a version that is sent back is a whole number, and not %j',
  (version) => {
    expect(jobUpdate.safeParse({ version }).success).toBe(false)
    expect(jobUpdate.safeParse({ version: 2 }).success).toBe(true)
  },
)
