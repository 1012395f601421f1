import { PontualError } from '../../errors.ts'
import type { OwnerFacts } from '../../store/postgres/inspect/roles.ts'
import type { InvalidIndex, PartitionFacts, RowSecurityFacts } from '../../store/postgres/inspect/schema.ts'
import {
  type AppliedSchema,
  comparePending,
  isNothing,
  latestOf,
  namesOf,
} from '../../store/postgres/schema/compare.ts'
import { membershipOf, switchedOff } from '../../store/postgres/schema/row-security.ts'
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

export function judgeIndexes(invalid: readonly InvalidIndex[]): Judgement {
  if (invalid.length === 0) return ok('all are valid')
  const names = invalid.map(({ name, table }) => `${name} of ${table}`)
  const commands = invalid.map(({ name, isPartitioned }) => {
    return `reindex index ${isPartitioned ? '' : 'concurrently '}pontual."${name}";`
  })
  return fail(`Not used, and yet kept up to date: ${some(names)}.`, `Build anew: ${some(commands, 5)}`)
}

export function judgeRowSecurity({ isOn, isEngine, mayActForTenants, role, openTables }: RowSecurityFacts): Judgement {
  const asAdministrator = (sql: string) => `Run as an administrator: ${sql}`
  if (!isOn) {
    return fail('It is off, and a service does not start.', asAdministrator(switchedOff(role)))
  }
  return together(
    [
      !isEngine && fail(`It shows the role ${role} nothing.`, asAdministrator(membershipOf(role))),
      isEngine &&
        !mayActForTenants &&
        fail(
          `The role ${role} may not act for tenants, and a service does not start.`,
          asAdministrator(membershipOf(role)),
        ),
      openTables.length > 0 &&
        fail(
          `It is not in force on ${some(openTables)}.`,
          'Run as the owner of the tables: select pontual.secure_rows();',
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
