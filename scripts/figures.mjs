import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import '../test/typescript-loader.mjs'
import { main, root } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

// Writes docs/proof/figures.md; test/docs/figures.test.ts says when it is stale.
await main(async () => {
  await ensureDependencies()
  const { figuresPage } = await import('../test/record/figures-page.ts')
  const { readRecords } = await import('../test/record/record.ts')
  writeFileSync(join(root, 'docs/proof/figures.md'), figuresPage(readRecords()))
  console.log('docs/proof/figures.md')
})
