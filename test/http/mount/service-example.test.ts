import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { RunningProgram } from '../cli/command.ts'

const EXAMPLE = fileURLToPath(new URL('../../../examples/express/main.mjs', import.meta.url))

/** As much of an answer as is looked at here. */
interface Body {
  readonly id: string
  readonly executionId: string
  readonly instance: string
  readonly items: readonly { readonly status: string }[]
}

it('the example of a mounted API: pages of its own, users of its own, and four eyes', {
  timeout: 60_000,
}, async () => {
  await using running = new RunningProgram([EXAMPLE], { PORT: '0' })
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/historico/)) ?? []
  const ask = async (user: string, path: string, body?: object, method = body ? 'POST' : 'GET') => {
    const headers = { authorization: `Basic ${btoa(user)}`, 'content-type': 'application/json' }
    const sent = body ? { body: JSON.stringify(body) } : {}
    const answer = await fetch(`${url}/ops/api/jobs${path}`, { method, headers, ...sent })
    return { status: answer.status, location: answer.headers.get('location'), body: (await answer.json()) as Body }
  }

  expect(await (await fetch(url)).text()).toBe('The shop is open.\n')
  expect(await ask('eve:x', '')).toMatchObject({ status: 401, body: { instance: '/ops/api/jobs' } })
  expect(await ask('max:m', '')).toMatchObject({ status: 200, body: { items: [{ name: 'send-reminders' }] } })
  expect(await ask('max:m', '/enqueue', { jobName: 'send-reminders' })).toMatchObject({ status: 403 })
  expect(await ask('ana:a', '/enqueue', { jobName: 'send-reminders' })).toMatchObject({ status: 202 })

  // What it prints can be pasted.
  const [, printed = ''] = /-d '(\{"name".*\})'/.exec(await running.until(/historico/)) ?? []
  const created = await ask('ana:a', '', JSON.parse(printed) as object)
  expect(created).toMatchObject({ status: 201, location: `/ops/api/jobs/${created.body.id}` })
  const { id } = created.body
  expect(await ask('ana:a', `/${id}/executar`, {})).toMatchObject({ status: 409 })
  expect(await ask('ana:a', `/${id}/approve`, {})).toMatchObject({ status: 403 })
  expect(await ask('bia:b', `/${id}/approve`, {})).toMatchObject({ status: 200 })
  expect(await ask('ana:a', `/${id}/executar`, {})).toMatchObject({ status: 202 })
  while ((await ask('ana:a', `/${id}/historico`)).body.items[0]?.status !== 'SUCCESS');
  expect(await ask('ana:a', '/audit-log/verify')).toMatchObject({ body: { isIntact: true } })
  expect(await running.stop()).toMatchObject({ code: 0, errors: '' })
})
