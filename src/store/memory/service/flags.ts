import type { FlagStore } from '../../flags.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export function flagStore(session: Session): FlagStore {
  return {
    read: (tenant) => session.statement((tables) => tables.flags.read(tenant)),

    put: ({ tenant, flags, audit }) =>
      session.statement((tables, now) => {
        if (flags.length > 0) tables.tenants.meet([tenant])
        for (const each of flags) tables.flags.put(tenant, each)
        if (audit) tables.audit.write({ ...audit, tenant }, now)
        if (flags.length > 0) tell(tables)
      }),

    putDefaults: (flags) =>
      session.statement((tables) => {
        for (const each of flags) tables.flags.putDefault(each)
        if (flags.length > 0) tell(tables)
      }),

    provide: (answers) =>
      session.statement((tables) => {
        tables.tenants.meet(answers.map(({ tenant }) => tenant))
        for (const each of answers) tables.flags.provide(each)
        if (answers.length > 0) tell(tables)
      }),
  }
}

/** Whoever fires, claims or tries again looks at once. */
function tell(tables: Tables): void {
  tables.hint('jobs')
  tables.hint('ready')
}
