import { FLAGS, type Flag, type FlagState } from '../../access/flag.ts'
import { requirePermission, requireWholeProfile } from '../../access/principal.ts'
import { quote } from '../../errors.ts'
import type { Locale } from '../../time/locale.ts'
import type { FlagView } from '../answers.ts'
import { ConflictError, NotFoundError } from '../errors.ts'
import { textsIn } from '../i18n/say.ts'
import type { Scope } from '../scope.ts'

/** All flags of the tenant, as the record by which a portal lists features. */
export async function listFlags(scope: Scope, language: Locale): Promise<FlagView[]> {
  requirePermission(scope.principal, 'jobs:read')
  const flags = await scope.flags()
  return FLAGS.map((flag) => viewOfFlag(flag, flags[flag], language))
}

/** Switches a flag of the tenant; null: as it is for all. */
export async function switchFlag(
  scope: Scope,
  key: string,
  isEnabled: boolean | null,
  language: Locale,
): Promise<FlagView> {
  requireWholeProfile(scope.principal, 'Admin')
  const flag = requireFlag(key)
  const { tenant, store, opened } = scope
  const before = (await scope.flags())[flag]
  if (before.source === 'provider') await takeFromProvider(scope, flag)
  const stored = before.source === 'stored' ? before.isEnabled : null
  if (stored !== isEnabled || before.source === 'provider') {
    await store.flags.put({
      tenant,
      flags: [{ flag, isEnabled }],
      audit: {
        operation: 'JOBS_FLAG_UPDATE',
        userId: scope.by.userId,
        jobId: null,
        executionId: null,
        oldValues: { [flag]: stored },
        newValues: { [flag]: isEnabled },
      },
    })
    opened.changed()
  }
  return viewOfFlag(flag, (await scope.flags())[flag], language)
}

/** Whoever is of a tenant is told whether it has a dashboard, whatever else he may know. */
export async function hasDashboard(scope: Scope): Promise<boolean> {
  const { HANGFIRE_DASHBOARD } = await scope.flags()
  return HANGFIRE_DASHBOARD.isEnabled
}

/** Throws where the dashboard is switched off for the tenant: then there is none. */
export async function requireDashboard(scope: Scope): Promise<void> {
  if (await hasDashboard(scope)) return
  const flag: Flag = 'HANGFIRE_DASHBOARD'
  throw new NotFoundError('flag.off', `The dashboard is switched off: flag ${flag}.`, { flag })
}

/** A provider that this service follows would have the last word again within seconds. What one said that nobody follows any more gives way. */
async function takeFromProvider({ tenant, engineStore, rules }: Scope, flag: Flag): Promise<void> {
  if (rules.flags.client !== null) {
    const message = `Flag ${flag} is decided by the provider of flags that this service follows; switch it there.`
    throw new ConflictError('flag.provided', message, { flag })
  }
  await engineStore.flags.provide([{ tenant, flag, isEnabled: null }])
}

function requireFlag(key: string): Flag {
  const flag = FLAGS.find((each) => each === key)
  if (flag) return flag
  throw new NotFoundError('not_found', `There is no flag ${quote(key)}.`, { kind: 'flag', id: key })
}

function viewOfFlag(flag: Flag, { isEnabled, source }: FlagState, language: Locale): FlagView {
  const { nome, descricao } = textsIn('pt-BR').flags.features[flag]
  const { nome: name, descricao: description } = textsIn(language).flags.features[flag]
  return {
    featureKey: flag,
    nome,
    descricao,
    name,
    description,
    habilitado: isEnabled,
    isSystemFeature: true,
    relatedFeatures: flag === 'JOBS_SCHEDULING' ? FLAGS.filter((each) => each !== flag) : ['JOBS_SCHEDULING'],
    source,
  }
}
