import assert from 'node:assert/strict'
import { withProgram } from '../package/program.mjs'
import { ask, askUntil } from './ask.mjs'

/** Pages of its own, users of its own, and four eyes. */
export async function checkExpress({ node, folder }) {
  await withProgram(node, ['main.mjs'], { cwd: folder, env: { PORT: '0' } }, async (program) => {
    const url = await program.url()
    const api = `${url}/ops/api/jobs`
    assert.equal(await ask(url), 'The shop is open.\n')
    await ask(api, { status: 401 })
    await ask(`${api}/enqueue`, { headers: as('max:m'), body: { jobName: 'send-reminders' }, status: 403 })
    await ask(`${api}/enqueue`, { headers: as('ana:a'), body: { jobName: 'send-reminders' }, status: 202 })

    const [, printed] = await program.until(/-d '(\{"name".*\})'/)
    const { id } = await ask(api, { headers: as('ana:a'), body: JSON.parse(printed), status: 201 })
    await ask(`${api}/${id}/approve`, { headers: as('ana:a'), method: 'POST', status: 403 })
    await ask(`${api}/${id}/approve`, { headers: as('bia:b'), method: 'POST' })
    await ask(`${api}/${id}/executar`, { headers: as('ana:a'), method: 'POST', status: 202 })
    await askUntil(({ items }) => items[0]?.status === 'SUCCESS', `${api}/${id}/historico`, { headers: as('ana:a') })
    assert.match(await ask(`${url}/ops/jobs/`, { headers: as('ana:a') }), /<script/)
    const { code, errors } = await program.stop()
    assert.deepEqual([code, errors], [0, ''])
  })
}

function as(user) {
  return { authorization: `Basic ${btoa(user)}` }
}
