import { describe, expect, it } from 'vitest'
import { readMigrations } from '../../src/store/postgres/migrations.ts'
import { readPage } from './pages.ts'

describe('the table of migrations', () => {
  it.each(['docs/how-to/postgres.md', 'docs/pt/how-to/postgres.md'])(
    'in %s has a row for each, in order',
    async (page) => {
      const rows = [...(await readPage(page)).matchAll(/^\| `(\d{4}_\w+)` \|/gm)].map(([, name]) => name)
      expect(rows).toEqual(readMigrations().map(({ name }) => name))
    },
  )
})
