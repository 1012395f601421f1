import { expect, it } from 'vitest'
import { somebody } from '../../../test/service/stage.ts'
import { systemEnv } from '../../clock.ts'
import { createService } from '../../service/service.ts'
import { testPontual } from '../../testing/test-pontual.ts'
import { demoJobs } from './demo-jobs.ts'
import { CHANGED_JOB, OPERATORS_JOBS } from './operators-jobs.ts'
import { setUpDemo } from './set-up-demo.ts'

const dev = somebody('dev', 'Admin', { tenant: 'default' })
const all = { limit: 200, sort: 'name', isDescending: false } as const

it('sets the demo up once, and leaves alone what somebody has made of it', async () => {
  await using t = await testPontual({ jobs: demoJobs({ env: systemEnv, stepMs: 0 }) })
  const service = createService(t.app, { duties: false })
  await setUpDemo(service)
  const jobs = (await service.jobs.list(dev, all)).items
  const names = new Set(jobs.map(({ name }) => name))
  expect([...OPERATORS_JOBS, CHANGED_JOB].every(({ name }) => names.has(name))).toBe(true)
  expect(new Set(jobs.map(({ timeZone }) => timeZone)).size).toBeGreaterThan(3)
  const atMidnight = jobs.filter(({ cronExpression }) => cronExpression === '0 0 * * *')
  expect(atMidnight.length).toBeGreaterThan(5)

  const waiting = jobs.filter(({ status }) => status === 'PENDING_APPROVAL')
  expect(waiting.map(({ name }) => name)).toEqual(['Bloquear inadimplentes', 'DeletarDadosObsoletos'])
  const changed = await service.jobs.approval(dev, waiting[0]?.id ?? '')
  expect(changed).toMatchObject({ isPending: true, isFirst: false, requestedBy: 'carla' })
  expect(changed.changes.map(({ field }) => field)).toEqual(['cronExpression', 'payload', 'retryCount'])
  await service.jobs.approve(dev, waiting[0]?.id ?? '', { comment: null })

  await service.jobs.remove(dev, jobs.find(({ name }) => name === 'Backup noturno')?.id ?? '')
  await setUpDemo(service)
  expect((await service.jobs.list(dev, all)).items.map(({ name }) => name)).not.toContain('Backup noturno')
  expect((await service.audit.verify(dev)).isIntact).toBe(true)
})

it('lets jobs run at once, some of which fail, wait or take their time', async () => {
  await using t = await testPontual({ jobs: demoJobs({ env: systemEnv, stepMs: 0 }), startAt: '2026-03-02T12:00:30Z' })
  const service = createService(t.app, { duties: false })
  await setUpDemo(service)
  await t.advance('10s')
  const runs = (await service.executions.list(dev, { limit: 100, archived: false })).items
  expect(new Set(runs.map(({ jobType }) => jobType)).size).toBeGreaterThan(5)
  const statuses = new Set(runs.map(({ status }) => status))
  expect(['SUCCESS', 'FAILED', 'WAITING'].every((status) => statuses.has(status as 'SUCCESS'))).toBe(true)
})
