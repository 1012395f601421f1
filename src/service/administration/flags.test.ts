import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { ana, fields, openStage, refusalOf, type Stage, stranger } from '../../../test/http/service/stage.ts'
import type { Flag } from '../../access/flag.ts'
import { memory } from '../../store/memory/memory.ts'

afterAll(() => OpenFeature.clearProviders())

const sourceOf = async ({ service }: Stage, flag: Flag) => {
  const found = (await service.administration.flags(ana, 'en')).find(({ featureKey }) => featureKey === flag)
  return [found?.habilitado, found?.source]
}

describe('a service that follows a provider', () => {
  const off = { variants: { on: true, off: false }, defaultVariant: 'off' as const, disabled: false }

  it('obeys it within seconds, and leaves what it decides to it', async () => {
    const provider = new InMemoryProvider({ JOBS_SCHEDULING: off })
    await OpenFeature.setProviderAndWait('service', provider)
    const flags = { client: OpenFeature.getClient('service') }
    await using stage = await openStage({}, { duties: true, flags })
    const { service, test } = stage
    const { id } = await service.jobs.create(ana, fields({ cronExpression: '* * * * *' }))
    await service.jobs.execute(ana, id, {})
    await test.advance('6s')
    expect(await sourceOf(stage, 'JOBS_SCHEDULING')).toEqual([false, 'provider'])
    expect(await service.jobs.get(ana, id)).toMatchObject({ status: 'ACTIVE', isSuspended: true })
    expect(await refusalOf(service.administration.switchFlag(ana, 'JOBS_SCHEDULING', true, 'en'))).toBe(
      'ConflictError flag.provided',
    )
    const { executionId } = await service.jobs.execute(ana, id, {})
    await test.advance('3m')
    expect(await service.executions.get(ana, executionId)).toMatchObject({ status: 'QUEUED' })

    provider.putConfiguration({ JOBS_SCHEDULING: { ...off, defaultVariant: 'on' } })
    await test.advance('6s')
    expect(await service.executions.get(ana, executionId)).toMatchObject({ status: 'SUCCESS' })
    const { items } = await service.jobs.history(ana, id, { limit: 10, archived: false })
    expect(items.map(({ origin }) => origin)).toEqual(['manual', 'manual'])
  })

  it('switches what it does not decide', async () => {
    await OpenFeature.setProviderAndWait('other', new InMemoryProvider({ JOBS_SCHEDULING: off }))
    const flags = { client: OpenFeature.getClient('other') }
    await using stage = await openStage({}, { duties: true, flags })
    await stage.service.administration.switchFlag(ana, 'JOB_NOTIFICATIONS', false, 'en')
    await stage.test.advance('6s')
    expect(await sourceOf(stage, 'JOB_NOTIFICATIONS')).toEqual([false, 'stored'])
  })
})

it('what a provider said that nobody follows any more gives way', async () => {
  const store = memory()
  await using stage = await openStage({ store })
  const opened = await stage.test.app.opened()
  await opened.store.flags.provide([{ tenant: ana.tenant, flag: 'JOBS_SCHEDULING', isEnabled: false }])
  expect(await sourceOf(stage, 'JOBS_SCHEDULING')).toEqual([false, 'provider'])
  await stage.service.administration.switchFlag(ana, 'JOBS_SCHEDULING', null, 'en')
  expect(await sourceOf(stage, 'JOBS_SCHEDULING')).toEqual([true, 'default'])
})

it('defaults of the service hold for tenants that say nothing, and are what the manifest tells', async () => {
  const defaults = { JOBS_SCHEDULING: false, HANGFIRE_DASHBOARD: false }
  await using stage = await openStage({}, { flags: { defaults } })
  const { administration, overview } = stage.service
  await administration.switchFlag(ana, 'JOBS_SCHEDULING', true, 'en')
  expect(await sourceOf(stage, 'JOBS_SCHEDULING')).toEqual([true, 'stored'])
  expect(await sourceOf(stage, 'HANGFIRE_DASHBOARD')).toEqual([false, 'default'])
  expect((await administration.flags(stranger, 'en')).map(({ habilitado }) => habilitado)).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(await overview.manifest(ana)).toMatchObject({ habilitadoPorPadrao: false })
  expect(await refusalOf(overview.dashboard(ana))).toBe('NotFoundError flag.off')
})

it('to switch a flag to what it is changes nothing, and is not told', async () => {
  await using stage = await openStage()
  const { administration, audit } = stage.service
  await administration.switchFlag(ana, 'JOB_RETRY_POLICY', null, 'en')
  await administration.switchFlag(ana, 'JOB_RETRY_POLICY', true, 'en')
  await administration.switchFlag(ana, 'JOB_RETRY_POLICY', true, 'en')
  expect((await audit.list(ana, { limit: 9 })).items).toHaveLength(1)
})

it('what nobody knows is not found', async () => {
  await using stage = await openStage()
  const { administration } = stage.service
  expect(await refusalOf(administration.switchFlag(ana, 'toString', true, 'en'))).toBe('NotFoundError not_found')
})
