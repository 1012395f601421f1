import assert from 'node:assert/strict'
import { withProgram } from '../package/program.mjs'
import { ask, bearer } from './ask.mjs'

/** Routes of its own that run jobs, and the API and the dashboard for who has a token. */
export async function checkFastify({ node, folder }) {
  await withProgram(node, ['main.mjs'], { cwd: folder, env: { PORT: '0' } }, async (program) => {
    const url = await program.url()
    const [, token] = await program.until(/TOKEN=(\S+)\n/)
    const headers = bearer(token)
    assert.equal(await ask(url), 'The shop is open.\n')
    assert.deepEqual(await ask(`${url}/close`), { status: 'SUCCESS', output: { closed: true } })
    await ask(`${url}/ops/api/jobs`, { status: 401 })
    const { items } = await ask(`${url}/ops/api/jobs/executions`, { headers })
    assert.deepEqual([items.length, items[0].status], [1, 'SUCCESS'])
    assert.match(await ask(`${url}/ops/jobs/`, { headers }), /<script/)
    const { code, errors } = await program.stop()
    assert.deepEqual([code, errors], [0, ''])
  })
}
