import type { PlanFacts, PlannerSwitch } from '../../store/postgres/inspect/plans.ts'
import { quoteName } from '../../store/postgres/schema/row-security.ts'
import { type Judgement, together, warn } from './judgement.ts'

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
