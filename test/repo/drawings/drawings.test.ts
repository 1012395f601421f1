import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { drawings } from './drawings.ts'

it.each([...drawings()])('%s is what the sources answer: node scripts/draw.mjs draws it', async (name, drawn) => {
  expect(await readFile(new URL(`../../../docs/images/${name}`, import.meta.url), 'utf8')).toBe(drawn)
})
