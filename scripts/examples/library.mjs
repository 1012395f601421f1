import assert from 'node:assert/strict'
import { withProgram } from '../package/program.mjs'

/** It ends by itself; started again, it sends nothing twice. */
export async function checkLibrary({ node, folder }) {
  const [first, second] = [await run(node, folder), await run(node, folder)]
  assert.match(first, /Invoice 42 is on its way/)
  assert.match(first, /Invoice 42: SUCCESS in attempt 2/)
  assert.match(first, /Invoice 42 is in the archive/)
  assert.match(first, /Rates are next refreshed at \d{4}-/)
  assert.match(second, /Invoice 42 was enqueued before/)
  assert.doesNotMatch(second, /Invoice 42, attempt|is in the archive/)
}

async function run(node, folder) {
  return await withProgram(node, ['main.mjs'], { cwd: folder }, async (program) => {
    const { code, output, errors } = await program.ended
    assert.equal(code, 0, errors)
    return output
  })
}
