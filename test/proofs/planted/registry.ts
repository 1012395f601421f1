import { fileURLToPath } from 'node:url'
import { APPROVALS } from './bugs/approvals.ts'
import { DURABLE } from './bugs/durable.ts'
import { FIRING } from './bugs/firing.ts'
import { HOLDING } from './bugs/holding.ts'
import { LIMITS } from './bugs/limits.ts'
import { REQUESTS } from './bugs/requests.ts'
import { SERVICE } from './bugs/service.ts'
import { type Declarations, readDeclarations } from './declarations.ts'
import { plant } from './plant.ts'
import { editsOf, type PlantedBug } from './planted-bug.ts'

/** Every planted bug of the repository. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...FIRING,
  ...HOLDING,
  ...REQUESTS,
  ...LIMITS,
  ...DURABLE,
  ...APPROVALS,
  ...SERVICE,
]

const root = fileURLToPath(new URL('../../..', import.meta.url))
let declarations: Declarations | undefined

/** The sources of this repository that the bug changes, by their files. Throws if it does not apply. */
export function sourcesWith(bug: PlantedBug): ReadonlyMap<string, string> {
  declarations ??= readDeclarations(root)
  return plant(root, declarations, bug.name, editsOf(bug))
}

/** The environment in which a process that uses test/harness/typescript-loader.mjs has the bug. */
export function environmentWith(bug: PlantedBug): Readonly<Record<string, string>> {
  return { PONTUAL_PLANTED_SOURCES: JSON.stringify(Object.fromEntries(sourcesWith(bug))) }
}
