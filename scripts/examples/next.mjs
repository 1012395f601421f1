import assert from 'node:assert/strict'
import { join } from 'node:path'
import { withProgram } from '../package/program.mjs'
import { capture } from '../run.mjs'
import { ask, askUntil, bearer } from './ask.mjs'

/** Built and started as in production: a page that uses a job, and the API and the dashboard from route handlers. */
export async function checkNext({ node, folder, installed }) {
  const next = join(installed, 'next/dist/bin/next')
  const env = { NEXT_TELEMETRY_DISABLED: '1' }
  await withProgram(node, [next, 'build'], { cwd: folder, env }, async (build) => {
    const { code, output, errors } = await build.ended
    assert.equal(code, 0, output + errors)
  })
  const headers = bearer((await capture(node, ['token.mjs'], { cwd: folder })).trim())
  await withProgram(node, [next, 'start', '-H', '127.0.0.1', '-p', '0'], { cwd: folder, env }, async (program) => {
    await program.until(/Ready/)
    const url = await program.url()
    assert.match(await ask(url), /Close the day/)
    await ask(`${url}/api/jobs`, { status: 401 })
    const body = { jobName: 'close-day' }
    const { executionId } = await ask(`${url}/api/jobs/enqueue`, { headers, body, status: 202 })
    const isDone = ({ status }) => status === 'SUCCESS'
    await askUntil(isDone, `${url}/api/jobs/executions/${executionId}`, { headers })
    assert.match((await ask(url)).replaceAll('<!-- -->', ''), /closed 1 times/)
    assert.match(await ask(`${url}/jobs/list`, { headers }), /<script/)
  })
}
