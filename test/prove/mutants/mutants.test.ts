import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MUTANTS } from './all.ts'

it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('fits the sources: %s', (_name, { file, find }) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  expect(text.split(find).length - 1).toBe(1)
})
