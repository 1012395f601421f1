import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from './pages.ts'

it('every decision has a number of its own, without a hole, which its title states', () => {
  const folder = join(ROOT, 'docs/decisions')
  const names = readdirSync(folder).sort()
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_name, index) => index + 1))
  const titles = names.map((name) => readFileSync(join(folder, name), 'utf8').split('. ', 1)[0])
  expect(titles).toEqual(names.map((_name, index) => `# ${index + 1}`))
})
