import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ana, bia, openStage, refusalOf, type Stage, somebody } from '../../../test/http/service/stage.ts'
import type { Principal } from '../../access/principal.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(async () => await stage[Symbol.asyncDispose]())

const administration = () => stage.service.administration
const request = (who: Principal, allowsSelfApproval = true) =>
  administration().updateSettings(who, { allowsSelfApproval }, null)
const approve = (who: Principal) => administration().approveSettings(who, { comment: null })
const reject = (who: Principal) => administration().rejectSettings(who, { reason: 'no' })
const operations = async () =>
  (await stage.service.audit.list(ana, { limit: 50 })).items.map(({ operation }) => operation)
const kinds = async () => (await administration().notifications(ana, { limit: 50 })).items.map(({ event }) => event)

const keyOfAna = somebody('key:1', 'Admin', { ownerId: 'ana', source: 'apiKey' })
const otherKeyOfAna = somebody('key:2', 'Admin', { ownerId: 'ana', source: 'apiKey' })
const SELF = 'ForbiddenError self_approval_forbidden'

describe('a looser approval rule', () => {
  it('is pending until a second Admin approves it, audited and reported', async () => {
    expect(await request(ana)).toMatchObject({
      allowsSelfApproval: false,
      pending: { allowsSelfApproval: true, requestedBy: 'ana' },
    })
    expect(await kinds()).toEqual(['approval_rules.pending'])
    expect(await administration().approveSettings(bia, { comment: 'agreed' })).toMatchObject({
      allowsSelfApproval: true,
      pending: null,
    })
    const { items } = await stage.service.audit.list(ana, { limit: 2 })
    expect(items).toMatchObject([
      {
        operation: 'JOBS_SETTINGS_APPROVE',
        userId: 'bia',
        oldValues: { allowsSelfApproval: false, pending: { requestedBy: 'ana' } },
        newValues: { allowsSelfApproval: true, pending: null, comment: 'agreed' },
      },
      { operation: 'JOBS_SETTINGS_UPDATE', userId: 'ana', newValues: { pending: { requestedBy: 'ana' } } },
    ])
    expect(await kinds()).toEqual(['approval_rules.loosened', 'approval_rules.pending'])
  })

  it.each<[string, Principal, Principal]>([
    ['the Admin who requested it', ana, ana],
    ['an API key of that Admin', ana, keyOfAna],
    ['the Admin behind the API key that requested it', keyOfAna, ana],
    ['another API key of the same person', keyOfAna, otherKeyOfAna],
  ])('is not approved by %s', async (_who, requester, approver) => {
    await request(requester)
    expect(await refusalOf(approve(approver))).toBe(SELF)
    expect(await administration().settings(ana)).toMatchObject({ allowsSelfApproval: false })
  })

  it('is not approved by a request for the same, nor requested twice', async () => {
    await request(ana)
    expect(await request(bia)).toMatchObject({ allowsSelfApproval: false, pending: { requestedBy: 'ana' } })
    expect(await operations()).toEqual(['JOBS_SETTINGS_UPDATE'])
    expect(await refusalOf(approve(ana))).toBe(SELF)
  })

  it('is approved by one of two parallel approvals, and not after a rejection', async () => {
    await request(ana)
    const outcomes = await Promise.all([refusalOf(approve(bia)), refusalOf(approve(somebody('caio')))])
    expect(outcomes.toSorted()).toEqual(['ConflictError settings.nothing_pending', 'accepted'])
    await request(ana, false)
    await request(ana)
    await reject(ana)
    expect(await refusalOf(approve(bia))).toBe('ConflictError settings.nothing_pending')
    expect((await operations())[0]).toBe('JOBS_SETTINGS_REJECT')
  })

  it('is decided about as it was seen', async () => {
    const { version } = await request(ana)
    const stale = { comment: null, expectedVersion: version - 1 }
    expect(await refusalOf(administration().approveSettings(bia, stale))).toBe('StaleVersionError stale_version')
    expect(await refusalOf(administration().approveSettings(bia, { comment: null, expectedVersion: version }))).toBe(
      'accepted',
    )
  })

  it('survives settings that are sent back as they were read, and cannot be written', async () => {
    const { version: _version, ...read } = await request(ana)
    expect(await administration().updateSettings(bia, { ...read, language: 'en' }, null)).toMatchObject({
      language: 'en',
      pending: { requestedBy: 'ana' },
    })
    expect(await refusalOf(administration().updateSettings(bia, { pending: null }, null))).toEqual({
      '/pending': 'read_only_field',
    })
  })

  it('is not for whoever is no Admin, and not for an Admin with narrower credentials', async () => {
    await request(ana)
    const narrow = { ...bia, permissions: new Set(['jobs:read', 'jobs:approve'] as const) }
    for (const who of [somebody('davi', 'Developer'), narrow]) {
      expect(await refusalOf(approve(who))).toContain('ForbiddenError')
      expect(await refusalOf(reject(who))).toContain('ForbiddenError')
    }
  })
})

it('a stricter approval rule holds at once', async () => {
  await request(ana)
  await approve(bia)
  expect(await request(ana, false)).toMatchObject({ allowsSelfApproval: false, pending: null })
})

it('the operator can let one Admin loosen an approval rule, which is reported', async () => {
  await using own = await openStage({}, { approvalRules: 'oneAdmin' })
  const { administration: one } = own.service
  expect(await one.updateSettings(ana, { allowsSelfApproval: true }, null)).toMatchObject({
    allowsSelfApproval: true,
    pending: null,
  })
  const { items } = await one.notifications(ana, { limit: 5 })
  expect(items).toMatchObject([{ event: 'approval_rules.loosened' }])
})
