import { PontualError } from '../../errors.ts'
import { defaultSchema } from '../../store/driver/schema-name.ts'
import type { NeededKey } from '../../store/postgres/inspect/keys.ts'
import type { PlanFacts, PlannerSwitch } from '../../store/postgres/inspect/plans.ts'
import type { OwnerFacts } from '../../store/postgres/inspect/roles.ts'
import type { InvalidIndex, PartitionFacts, RowSecurityFacts } from '../../store/postgres/inspect/schema.ts'
import {
  type AppliedSchema,
  comparePending,
  isNothing,
  latestOf,
  namesOf,
} from '../../store/postgres/schema/compare.ts'
import { membershipOf, quoteName, switchedOff } from '../../store/postgres/schema/row-security.ts'
import type { Schema } from '../../store/postgres/schema/sources.ts'
import { fail, type Judgement, ok, some, together, warn } from './judgement.ts'

const MIGRATE = 'Run: npx pontual migrate'

export function judgeMigrations(schema: Schema, applied: AppliedSchema): Judgement {
  if (applied.migrations.length === 0) return fail('The database has none of the tables.', MIGRATE)
  try {
    const pending = comparePending(schema, applied)
    if (!isNothing(pending)) return fail(`The database lacks ${some(namesOf(pending))}.`, MIGRATE)
    return ok(`at version ${latestOf(schema.migrations)}`)
  } catch (error) {
    if (!(error instanceof PontualError)) throw error
    return fail(error.message, 'Run the version of pontual that has migrated it.')
  }
}

export function judgeIndexes(invalid: readonly InvalidIndex[], schema = defaultSchema): Judgement {
  if (invalid.length === 0) return ok('all are valid')
  const names = invalid.map(({ name, table }) => `${name} of ${table}`)
  const commands = invalid.map(({ name, isPartitioned }) => {
    return `reindex index ${isPartitioned ? '' : 'concurrently '}${schema.name}."${name}";`
  })
  return fail(`Not used, and yet kept up to date: ${some(names)}.`, `Build anew: ${some(commands, 5)}`)
}

export function judgeRowSecurity(
  { isOn, isEngine, mayActForTenants, role, openTables }: RowSecurityFacts,
  schema = defaultSchema,
): Judgement {
  const asAdministrator = (sql: string) => `Run as an administrator: ${sql}`
  if (!isOn) {
    return fail('It is off, and a service does not start.', asAdministrator(switchedOff(role, schema)))
  }
  return together(
    [
      !isEngine && fail(`It shows the role ${role} nothing.`, asAdministrator(membershipOf(role, schema))),
      isEngine &&
        !mayActForTenants &&
        fail(
          `The role ${role} may not act for tenants, and a service does not start.`,
          asAdministrator(membershipOf(role, schema)),
        ),
      openTables.length > 0 &&
        fail(
          `It is not in force on ${some(openTables)}.`,
          schema.compose('Run as the owner of the tables: select pontual.secure_rows();'),
        ),
    ],
    'in force on every table',
  )
}

/** Says which set-up of roles is active. In the simple one the login role owns the tables, and no trigger holds for their owner. */
export function judgeRoles(owners: readonly OwnerFacts[]): Judgement {
  const attainable = owners.filter(({ isAttainable }) => isAttainable)
  const { role = '' } = owners[0] ?? {}
  const names = some(owners.map(({ name }) => name))
  if (attainable.length === 0) return ok(`separated: the tables belong to ${names}, which ${role} cannot become`)
  const remedy =
    'Run as a role that may create roles: npx pontual migrate --login <role>, and let nodes log in as that role.'
  if (attainable.every(({ canLogIn }) => !canLogIn)) {
    return warn(
      `Separated, but ${role} can become ${names}, which owns the tables: a node that logs in as ${role} can disable the audit log.`,
      remedy,
    )
  }
  return warn(
    `Simple: the tables belong to ${names}, so a node that logs in as ${role} can disable the audit log.`,
    remedy,
  )
}

const MONTHS_AHEAD = 4

export function judgePartitions({ misplaced, months }: PartitionFacts): Judgement {
  return together(
    [
      months === 0 && fail('This month has no partition.', `${MIGRATE} as the owner of the tables.`),
      months > 0 &&
        months < MONTHS_AHEAD - 1 &&
        warn(
          `Of this month and the three to come ${months} have a partition.`,
          `${MIGRATE} as the owner of the tables.`,
        ),
      misplaced.length > 0 &&
        warn(
          `Rows of ${some(misplaced)} lie in the default partition: a clock was wrong, or a month had no partition.`,
          'Everything works; what lies there is purged by row and not by month.',
        ),
    ],
    'there is room for the months to come',
  )
}

/** No statement is expected to take so long; the planner adds more than that for each step that a setting forbids. */
const ABSURD_COST = 1e9

/** Statements whose estimates are absurd, and settings that make them so. */
export function judgePlans({ estimates, switches, jitAboveCost }: PlanFacts): Judgement {
  const limit = Math.min(jitAboveCost ?? ABSURD_COST, ABSURD_COST)
  const absurd = estimates.filter(({ cost }) => cost > limit).sort((one, other) => other.cost - one.cost)
  const names = absurd.map(({ name, cost }) => `${name} (${cost.toPrecision(2)})`).join(', ')
  const because =
    limit === jitAboveCost ? `above jit_above_cost (${limit}), so that the server compiles them` : 'absurd'
  return together(
    [
      ...switches.map((each) => warn(`${each.name} is off (${describeSource(each)}).`, resetOf(each))),
      absurd.length > 0 &&
        warn(
          `The estimated cost of these statements is ${because}: ${names}.`,
          switches.length > 0
            ? 'Reconnect all nodes afterwards.'
            : 'Run as the owner of the tables: analyze; if the estimates stay: alter role … set jit = off.',
        ),
    ],
    `${estimates.length} frequent statements have plausible estimates`,
  )
}

function describeSource({ source, role, database, function: name }: PlannerSwitch): string {
  switch (source) {
    case 'user':
      return `for the role ${role}`
    case 'database':
      return `for the database ${database}`
    case 'database user':
      return `for the role ${role} in the database ${database}`
    case 'global':
      return 'for all roles'
    case 'function':
      return `for the function ${name}`
    case 'client':
      return 'by the connection string'
    default:
      return source
  }
}

function resetOf({ name, source, role, database, function: owner }: PlannerSwitch): string {
  switch (source) {
    case 'user':
      return `alter role ${quoteName(role)} reset ${name};`
    case 'database':
      return `alter database ${quoteName(database)} reset ${name};`
    case 'database user':
      return `alter role ${quoteName(role)} in database ${quoteName(database)} reset ${name};`
    case 'global':
      return `alter role all reset ${name};`
    case 'function':
      return `alter function ${owner} reset ${name};`
    case 'client':
      return `Remove ${name} from options of the connection string, or PGOPTIONS.`
    default:
      return `alter system reset ${name}; select pg_reload_conf(); or remove it from the configuration of the server.`
  }
}

export interface RingFacts {
  /** Of the keys that this environment has, the current one first; null where it has none, as on a machine that runs no node. */
  readonly ids: readonly string[] | null
  /** Why it cannot be used; null where it can. */
  readonly refusal: string | null
}

export function judgeKeys(needed: readonly NeededKey[], { ids: ring, refusal }: RingFacts): Judgement {
  if (refusal !== null) return fail(refusal, 'Correct PONTUAL_ENCRYPTION_KEYS: a process that has it does not start.')
  if (needed.length === 0) return ok(ring === null ? 'off' : 'on, and nothing is sealed yet')
  const missing = needed.map(({ id }) => id).filter((id) => !ring?.includes(id))
  const remedy = 'Put the keys into PONTUAL_ENCRYPTION_KEYS: a process that lacks one does not start.'
  if (ring === null) return warn(`What is stored needs ${some(missing)}, and no key is set here.`, remedy)
  if (missing.length > 0) return fail(`What is stored needs ${some(missing)}, which the ring lacks.`, remedy)
  const old = needed.filter(({ id }) => id !== ring[0])
  if (old.length === 0) return ok(`all is wrapped with ${ring[0]}`)
  return warn(
    `${some(old.map(({ id, dataKeys }) => `${id} has wrapped ${dataKeys} data keys`))}.`,
    'Run: npx pontual keys rotate',
  )
}
