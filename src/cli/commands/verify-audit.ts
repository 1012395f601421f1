import { readFileSync } from 'node:fs'
import { systemEnv } from '../../clock.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { silentLogger } from '../../logger.ts'
import type { AuditVerdict } from '../../service/api.ts'
import { type NotedHead, verifyAudit } from '../../service/audit/verify.ts'
import { postgres } from '../../store/postgres/postgres.ts'
import type { StoreSource } from '../../store/store.ts'
import { createProgress, type Progress } from '../print/executions.ts'
import { formatTable } from '../print/table.ts'
import { shownJson, shownLine } from '../print/text.ts'
import type { Terminal } from '../terminal.ts'

export interface VerifyAuditOptions {
  readonly databaseUrl?: string
  readonly schema?: string
  readonly tenant?: string
  /** A file with what an earlier call has printed with `--json`. */
  readonly noted?: string
  readonly json: boolean
}

/** Where a chain ended. */
type Noted = NotedHead & { readonly tenant: string }
type TenantVerdict = AuditVerdict & { readonly tenant: string }

/** `pontual audit verify`: reckons the audit chains of a database anew. Fails where one does not hold, and names its first broken entry. */
export async function verifyAuditLog(options: VerifyAuditOptions, terminal: Terminal): Promise<void> {
  const source = postgres(options.databaseUrl, {
    migrate: false,
    maxConnections: 1,
    deadline: '5m',
    schema: options.schema,
  })
  const noted = options.noted === undefined ? [] : readNoted(options.noted)
  const progress = createProgress(terminal, options)
  const verdicts = await verdictsOf(source, { noted, tenant: options.tenant, progress }).finally(() => progress.end())
  requireEntries(verdicts, options.tenant)
  terminal.write(options.json ? `${shownJson({ chains: verdicts })}\n` : tell(verdicts))
  const broken = verdicts.filter(({ isIntact }) => !isIntact)
  if (broken.length === 0) return
  const tenants = broken.map(({ tenant }) => tenant)
  throw new PontualError('audit.broken', `The audit log is broken: tenant ${tenants.join(', ')}.`, { tenants })
}

/** A name that is misspelt must not pass for a log that holds. */
function requireEntries(verdicts: readonly TenantVerdict[], tenant?: string): void {
  if (tenant === undefined || verdicts.some(({ isIntact, entries }) => !isIntact || entries > 0)) return
  throw new PontualError('audit.empty', `There is no audit log of tenant ${quote(tenant)}.`, { tenant })
}

interface Question {
  readonly noted: readonly Noted[]
  readonly tenant: string | undefined
  readonly progress: Progress
}

/** What is to be said of each chain of a store, in the order of tenants; also of one that was noted and is gone. */
async function verdictsOf(source: StoreSource, { noted, tenant, progress }: Question): Promise<TenantVerdict[]> {
  const store = await source.open({ env: systemEnv, logger: silentLogger })
  try {
    const heads = [...(await store.audit.heads(tenant)), ...noted]
    const tenants = tenant === undefined ? new Set(heads.map((head) => head.tenant)) : [tenant]
    const verdicts: TenantVerdict[] = []
    for (const each of [...tenants].sort((a, b) => (a < b ? -1 : 1))) {
      const earlier = noted.filter((head) => head.tenant === each)
      const tell = (entries: number, end: number) =>
        progress.report(`Tenant ${shownLine(each)}: ${entries} of ${end} entries`)
      verdicts.push({ tenant: each, ...(await verifyAudit(store.audit, each, earlier, tell)) })
    }
    return verdicts
  } finally {
    await store.close()
  }
}

/** Where chains ended before, as it was printed then. */
function readNoted(file: string): readonly Noted[] {
  try {
    const { chains } = JSON.parse(readFileSync(file, 'utf8')) as {
      chains: readonly (TenantVerdict & { hash?: string })[]
    }
    return chains.map(({ tenant, entries, hash }) => {
      if (typeof tenant === 'string' && Number.isInteger(entries) && typeof hash === 'string') {
        return { tenant, sequence: entries, hash }
      }
      throw new TypeError('a chain that was not intact')
    })
  } catch (cause) {
    const message = `--noted: ${quote(file)} must be what "pontual audit verify --json" has printed of intact chains.`
    throw new InvalidInputError('option.invalid', message, { name: 'noted' }, { cause })
  }
}

function tell(verdicts: readonly TenantVerdict[]): string {
  if (verdicts.length === 0) return 'There is no audit log yet: it begins with the first start of the service.\n'
  return formatTable(
    ['tenant', 'entries', 'verdict'],
    verdicts.map((verdict) => [shownLine(verdict.tenant), verdict.entries, sentence(verdict)]),
  )
}

function sentence(verdict: AuditVerdict): string {
  return verdict.isIntact
    ? `intact, ends with ${verdict.hash}`
    : `broken at entry ${verdict.sequence}: ${verdict.reason}`
}
