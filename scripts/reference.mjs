import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import '../test/typescript-loader.mjs'
import { main, root } from './run.mjs'

// Writes the generated pages of docs/reference in both languages; test/docs/reference.test.ts says when they are stale.
await main(async () => {
  const { PGlite } = await import('@electric-sql/pglite')
  const { mkdtempSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const { pglite } = await import('../src/pglite.ts')
  const { systemEnv } = await import('../src/clock.ts')
  const { silentLogger } = await import('../src/logger.ts')
  const { referencePages } = await import('./reference/pages.ts')
  const folder = mkdtempSync(join(tmpdir(), 'pontual-reference-'))
  try {
    const store = await pglite(folder).open({ env: systemEnv, logger: silentLogger })
    await store.close()
    const database = await PGlite.create(folder)
    const pages = await referencePages(async (sql) => (await database.query(sql)).rows)
    await database.close()
    for (const [path, text] of pages) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      writeFileSync(join(root, path), text)
      console.log(`${path}: ${Math.round(text.length / 1_000)} KB`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
