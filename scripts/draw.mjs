import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import '../test/harness/typescript-loader.mjs'
import { main, root } from './run.mjs'

/** Draws the pictures of the documentation that show what the sources answer. */
await main(async () => {
  const { drawings } = await import('../test/repo/drawings/drawings.ts')
  for (const [name, drawn] of drawings()) {
    writeFileSync(join(root, 'docs/images', name), drawn)
    console.log(`docs/images/${name}`)
  }
})
