import assert from 'node:assert/strict'
import { withProgram } from '../package/program.mjs'

const ACTIVITIES = ['check-stock', 'reserve-stock', 'process-payment', 'confirm-order']

/** Killed while it pays it goes on, and does nothing twice that was done. Who opens its database beside it is told so in one line. */
export async function checkDurableOrder({ node, folder }) {
  const begun = await start({ node, folder, paceMs: 1_000 }, async (program) => {
    await program.until(/process-payment, attempt 1/)
    program.pause()
    await start({ node, folder, paceMs: 0 }, async (other) => {
      const { code, output, errors } = await other.ended
      assert.deepEqual([code, output, errors.trim().split('\n').length], [1, '', 1], output + errors)
      assert.match(errors, /is in use by process \d+/)
    })
    return await program.stop('SIGKILL')
  })
  const ended = await start({ node, folder, paceMs: 10 }, (program) => program.ended)
  assert.equal(ended.code, 0, ended.errors)
  assert.match(ended.output, /Order 4711 goes on/)
  assert.match(ended.output, /Order 4711: SUCCESS/)
  // On a slow machine the payment, too, may have been done before it was killed.
  const done = [doneIn(begun.output), doneIn(ended.output)]
  assert.deepEqual(done[0].slice(0, 2), ACTIVITIES.slice(0, 2))
  assert.deepEqual(done.flat(), ACTIVITIES)
}

function start({ node, folder, paceMs }, use) {
  return withProgram(node, ['main.mjs'], { cwd: folder, env: { ORDER_PACE_MS: String(paceMs) } }, use)
}

function doneIn(output) {
  return ACTIVITIES.filter((name) => output.includes(`${name}: done`))
}
