import { describe, expect, it } from 'vitest'
import { ana, bia, fields, openStage, refusalOf } from '../../test/http/service/stage.ts'
import { memory } from '../store/memory/memory.ts'
import type { StoreSource } from '../store/store.ts'
import { testPontual } from '../testing/test-pontual.ts'
import type { ServiceOptions } from './options.ts'
import { createService } from './service.ts'

describe('a service', () => {
  it('records what happens from when it is ready', async () => {
    await using own = await testPontual()
    const service = createService(own.app)
    const { store } = await own.app.opened()
    expect(await store.audit.isEnabled()).toBe(false)
    await service.ready()
    expect(await store.audit.isEnabled()).toBe(true)
  })

  it('is ready by itself when somebody asks', async () => {
    await using own = await testPontual()
    const service = createService(own.app)
    await service.administration.updateSettings(ana, { language: 'en' }, null)
    expect(await service.audit.lastSequence(ana)).toBe(1)
  })

  it('answers nobody once it is closed, while the application goes on', async () => {
    await using stage = await openStage()
    stage.service.close()
    expect(await refusalOf(stage.service.overview.manifest(ana))).toBe('PontualError pontual.stopped')
    expect(await stage.test.app.health()).toMatchObject({ isRunning: true })
  })

  it('goes on over an application that is stopped and started again', async () => {
    const store = memory()
    await using stage = await openStage({ store })
    const { id } = await stage.service.jobs.create(ana, fields())
    await stage.test.stop()
    await stage.test.app.start()
    expect(await stage.service.jobs.get(ana, id)).toMatchObject({ id })
    expect(await refusalOf(stage.service.jobs.update(bia, id, { priority: 'LOW' }))).toBe('accepted')
  })

  it.each<[string, number | undefined, ServiceOptions, number]>([
    ['the service says', undefined, { tenantConcurrency: 4 }, 4],
    ['10, where nobody says anything', undefined, {}, 10],
    ['the application says', 7, { tenantConcurrency: 4 }, 7],
  ])('lets a tenant run as many at once as %s', async (_, tenantConcurrency, options, cap) => {
    await using stage = await openStage({ tenantConcurrency }, options)
    const { id } = await stage.service.jobs.create(ana, fields({ jobType: 'Demorar' }))
    expect((await stage.service.overview.workers(ana)).cap).toBe(cap)
    for (let n = 0; n < 12; n += 1) await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(await stage.service.overview.workers(ana)).toMatchObject({ cap, running: cap, queued: 12 - cap })
    await stage.service.jobs.cancel(ana, id, { executionId: null, reason: null })
  })

  it.each<[string, object]>([
    ['an option nobody knows', { tenants: 3 }],
    ['an isolation of no kind', { isolation: 'none' }],
    ['room for half a job', { jobsPerTenant: 0.5 }],
  ])('refuses %s', async (_, options) => {
    await using own = await testPontual()
    expect(() => createService(own.app, options)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/invalid/) as unknown }),
    )
  })
})

describe('a database that cannot keep tenants apart', () => {
  const source = memory()
  const weak: StoreSource = {
    kind: 'weak',
    open: async (around) => ({ ...(await source.open(around)), isolationRemedy: 'grant everything' }),
  }

  it('is refused, with what to do', async () => {
    await using own = await testPontual({ store: weak })
    const service = createService(own.app)
    await expect(service.ready()).rejects.toMatchObject({
      code: 'store.not_isolated',
      message: expect.stringContaining('grant everything') as unknown,
    })
    expect(await refusalOf(service.jobs.create(ana, fields()))).toBe('PontualError store.not_isolated')
  })

  it('is taken where that was asked for', async () => {
    await using own = await testPontual({ store: weak })
    const service = createService(own.app, { isolation: 'preferred' })
    await service.ready()
    expect(await service.overview.manifest(ana)).toMatchObject({ rfId: 'RF-112' })
  })
})
