import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Body } from './reply.ts'
import { type Company, fieldsOf, type Person, type Stage } from './stage.ts'

/** Requests whose answer was lost, on the way or with the server that gave it. */
export function describeSentAgain(at: () => Stage): void {
  /** Sends a request and hangs up once it has had its effect, without reading a byte. */
  async function sendAndHangUp(
    person: Person,
    path: string,
    body: unknown,
    key: string,
    hasHappened: () => Promise<boolean>,
  ) {
    const { hostname, port } = new URL(at().url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.pause()
    const text = JSON.stringify(body)
    const { authorization } = await person.shows()
    socket.write(
      [
        `POST ${path} HTTP/1.1`,
        `host: ${hostname}:${port}`,
        `authorization: ${authorization}`,
        `idempotency-key: ${key}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(text)}`,
        '',
        text,
      ].join('\r\n'),
    )
    await expect.poll(hasHappened, { timeout: 20_000, interval: 20 }).toBe(true)
    socket.destroy()
  }

  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
  const jobsOf = async ({ manager }: Company) => (await manager.get('/api/jobs')).body.items

  describe('a request whose answer was lost', () => {
    it('on the way makes one job, and gives it to whoever sends it again', async () => {
      const a = at().company()
      const body = fieldsOf()
      await sendAndHangUp(a.developer, '/api/jobs', body, 'lost', async () => (await jobsOf(a)).length === 1)
      const [job] = await jobsOf(a)
      await expect.poll(async () => (await a.developer.post('/api/jobs', body, keyed('lost'))).status).toBe(201)
      const again = await a.developer.post('/api/jobs', body, keyed('lost'))
      expect(again).toMatchObject({ status: 201, body: { id: job?.id, version: 1 } })
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(await jobsOf(a)).toHaveLength(1)
      expect(await a.audited()).toHaveLength(1)
    })

    it('on the way starts one execution', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const history = async () => (await a.manager.get(`/api/jobs/${id}/historico`)).body.items
      await sendAndHangUp(
        a.developer,
        `/api/jobs/${id}/executar`,
        {},
        'lost',
        async () => (await history()).length === 1,
      )
      await expect
        .poll(async () => (await a.developer.post(`/api/jobs/${id}/executar`, {}, keyed('lost'))).status)
        .toBe(202)
      expect(await history()).toHaveLength(1)
    })

    interface Making {
      readonly path: (job: Body) => string
      readonly body: (job: Body) => unknown
      readonly fields?: Readonly<Record<string, unknown>>
      readonly hasRun?: boolean
      readonly status: number
      readonly idOf: (answer: Body) => string
    }

    const execution = { status: 202, idOf: (answer: Body) => answer.executionId }
    const failing = { retryCount: 0, payload: { failures: 1 } }

    it.each<[string, Making]>([
      ['creates a job', { path: () => '/api/jobs', body: () => CREATE, status: 201, idOf: ({ id }) => id }],
      [
        'executes one',
        { path: ({ id }) => `/api/jobs/${id}/executar`, body: () => ({ priority: 'HIGH' }), ...execution },
      ],
      [
        'enqueues one',
        { path: () => '/api/jobs/enqueue', body: ({ id }) => ({ jobId: id, delayMs: 60_000 }), ...execution },
      ],
      [
        'retries one',
        {
          path: ({ id }) => `/api/jobs/${id}/retry`,
          body: () => undefined,
          fields: failing,
          hasRun: true,
          ...execution,
        },
      ],
    ])(
      'with the server that gave it, and which %s, has happened once',
      async (_what, { path, body, fields, hasRun, status, idOf }) => {
        const a = at().company()
        const job = await a.makes(fields)
        if (hasRun) await a.runs(job.id)
        const before = (await a.manager.get('/api/jobs/executions')).body.items.length
        const send = (person: Person) => person.post(path(job), body(job), keyed('crash'))
        await using dying = await at().dyingServer()
        const lost = await a.developer.at(dying.url).send('POST', path(job), { body: body(job), ...keyed('crash') })
        expect(lost.status).toBe(503)
        expect(await send(a.developer)).toMatchObject({ status: 409, body: { code: 'in_progress' } })
        await at().test.advance('20s')
        const again = await send(a.developer)
        expect(again.status, again.text).toBe(status)
        const once = await send(a.developer)
        expect(idOf(once.body)).toBe(idOf(again.body))
        const [jobs, executions] = [await jobsOf(a), (await a.manager.get('/api/jobs/executions')).body.items]
        expect([jobs.length - 1, executions.length - before]).toEqual(status === 201 ? [1, 0] : [0, 1])
      },
    )

    it('with the server that gave it, and which restarts an execution, has happened once', async () => {
      const a = at().company()
      const { id } = await a.makes({ jobType: 'FecharMes' })
      const { id: executionId } = await a.runs(id)
      const path = `/api/jobs/executions/${executionId}/restart`
      await using dying = await at().dyingServer()
      await a.developer.at(dying.url).send('POST', path, { body: { sequence: 1 }, ...keyed('crash') })
      await at().test.advance('20s')
      const again = await a.developer.post(path, { sequence: 1 }, keyed('crash'))
      expect(again).toMatchObject({ status: 202, body: { isNew: true } })
      const { items } = (await a.manager.get(`/api/jobs/${id}/historico`)).body
      expect(items.map((each) => each.id)).toEqual([again.body.executionId, executionId])
      expect(await a.audited('&operation=JOBS_JOB_RESTART')).toHaveLength(1)
    })

    it('is answered as if nothing had happened since', async () => {
      const a = at().company()
      const { id } = await a.makes(failing)
      await a.runs(id)
      await using dying = await at().dyingServer()
      const verbs = ['executar', 'retry'] as const
      for (const verb of verbs) await a.developer.at(dying.url).send('POST', `/api/jobs/${id}/${verb}`, keyed(verb))
      await a.admin.delete(`/api/jobs/${id}`)
      await at().test.advance('20s')
      for (const verb of verbs) {
        expect(await a.developer.post(`/api/jobs/${id}/${verb}`, undefined, keyed(verb))).toMatchObject({ status: 202 })
      }
      expect((await a.manager.get(`/api/jobs/${id}/historico`)).body.items).toHaveLength(3)
    })
  })
}

const CREATE = fieldsOf()
