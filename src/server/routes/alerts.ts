import { z } from 'zod'
import { ALERT_FACTS } from '../../service/alerts/alert-kinds.ts'
import { InvalidFieldsError } from '../../service/errors.ts'
import { textsIn } from '../../service/i18n/say.ts'
import type { AlertKind } from '../../store/alerts.ts'
import { LOCALES } from '../../time/locale.ts'
import { type Route, route } from '../request/route.ts'
import { alertKind, alertRuleUpdate, alertRuleView, alertsPage } from '../schemas/alerts.ts'
import { booleanParameter, cursorParameter, limitParameter } from '../schemas/values.ts'
import { JOBS } from './jobs.ts'

export const alertRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/alerts`,
    name: 'listAlerts',
    summary: 'List alerts, open ones first and then the newest first, with the rules by which they open',
    access: { permissions: ['jobs:read'] },
    query: z.strictObject({
      limit: limitParameter(),
      cursor: cursorParameter.optional(),
      kind: alertKind.optional(),
      isOpen: booleanParameter.optional(),
    }),
    answers: { 200: { description: 'A page of alerts', schema: alertsPage } },
    handle: async ({ service, principal, query, language }) => ({
      status: 200,
      body: await service.overview.alerts(principal, { ...query, language }),
    }),
  }),
  route({
    method: 'PUT',
    path: `${JOBS}/alerts/:kind`,
    name: 'updateAlertRule',
    summary: 'Change when an alert opens and closes; what is absent stays as it is',
    access: { profile: 'Admin' },
    params: z.object({ kind: alertKind }),
    body: alertRuleUpdate,
    answers: { 200: { description: 'The rule as it is now', schema: alertRuleView } },
    async handle({ service, principal, params, body, language }) {
      const { kind: _kind, level: _level, name: _name, ...change } = body
      requireNamed(params.kind, body)
      const rule = await service.administration.updateAlertRule(principal, params.kind, change, language)
      return { status: 200, body: rule }
    },
  }),
]

/** What names a rule may be sent back as it was read, in whichever language that was, and not otherwise. */
function requireNamed(kind: AlertKind, sent: z.output<typeof alertRuleUpdate>): void {
  const names = LOCALES.map((language) => textsIn(language).alerts[kind].name)
  const allowed = { kind: [kind], level: [ALERT_FACTS[kind].level], name: names } as const
  const changed = (['kind', 'level', 'name'] as const).filter((field) => {
    const value: string | undefined = sent[field]
    return value !== undefined && !allowed[field].some((each) => each === value)
  })
  if (changed.length === 0) return
  throw new InvalidFieldsError(
    changed.map((field) => ({
      pointer: `/${field}`,
      code: 'read_only_field',
      message: 'A rule keeps its kind, its level and its name.',
      says: { code: 'read_only_field', details: { case: 'rule' } },
    })),
  )
}
