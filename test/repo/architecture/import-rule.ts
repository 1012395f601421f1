import type { SourceFile } from './import-graph.ts'

type Layer = keyof typeof mayImport

/** Who may import whom. A file may always import its own layer; what is not listed is forbidden. */
const ground = ['ground'] as const
const pure = [...ground, 'time', 'job', 'access'] as const
const core = [...pure, 'clock', 'durable', 'port'] as const
const mayImport = {
  ground: [],
  clock: [...ground],
  time: [...ground],
  job: [...ground, 'time'],
  access: [...ground, 'job'],
  durable: [...pure, 'clock'],
  port: [...pure, 'clock'],
  driver: [...pure, 'clock', 'port'],
  adapter: [...core, 'driver'],
  engine: [...core],
  pontual: [...core, 'engine'],
  service: [...core, 'engine', 'pontual'],
  server: [...core, 'engine', 'pontual', 'service'],
  testing: [...core, 'engine', 'pontual', 'service', 'adapter', 'driver'],
  entry: [...core, 'engine', 'pontual', 'service', 'server', 'adapter', 'driver', 'testing'],
  cli: [...core, 'engine', 'pontual', 'service', 'server', 'adapter', 'driver', 'entry'],
} as const satisfies Record<string, readonly string[]>

/** Where each layer lives; the first row that fits decides. */
const homes: readonly (readonly [RegExp, Layer])[] = [
  [/^(index|time|postgres|pglite|server|testing)\.ts$/, 'entry'],
  [/^(errors|duration|nearest|logger|uuid)\.ts$/, 'ground'],
  [/^(clock|embedded)\.ts$/, 'clock'],
  [/^pontual\.ts$/, 'pontual'],
  [/^store\/driver\//, 'driver'],
  [/^store\/(memory|postgres|encryption)\//, 'adapter'],
  [/^store\/[^/]+\.ts$/, 'port'],
  [/^time\//, 'time'],
  [/^job\//, 'job'],
  [/^access\//, 'access'],
  [/^durable\//, 'durable'],
  [/^engine\//, 'engine'],
  [/^service\//, 'service'],
  [/^server\//, 'server'],
  [/^cli\//, 'cli'],
  [/^testing\//, 'testing'],
]

/** The only packages the pure layers may import; nothing here does I/O. */
const packagesOfPureLayers: Partial<Record<Layer, readonly string[]>> = {
  ground: [],
  time: ['cronstrue'],
  job: [],
  access: [],
}

/** Packages that one layer keeps to itself. */
const ownedPackages: readonly (readonly [RegExp, Layer])[] = [
  [/^(pg|pg-.*|@electric-sql\/.*)$/, 'driver'],
  [/^(hono|@hono\/.*)$/, 'server'],
]

const vagueNames = /(^|\/)(utils?|helpers?|common|types)(\.ts|\/)/
const lineLimit = 400

/** What a file of src/ does that the design forbids, as sentences. */
export function findViolations(file: SourceFile): string[] {
  const violations: string[] = []
  if (vagueNames.test(file.path)) violations.push(`${file.path} has a name that says nothing`)
  if (isTest(file.path)) return violations

  const layer = layerOf(file.path)
  if (!layer) return [...violations, `${file.path} belongs to no layer`]
  if (file.lineCount > lineLimit) violations.push(`${file.path} has ${file.lineCount} lines, more than ${lineLimit}`)
  if (layer === 'entry' && !file.hasOnlyReexports) violations.push(`${file.path} holds more than re-exports`)
  for (const target of file.imports) {
    if (!isAllowed(layer, target)) violations.push(`${file.path} imports ${target}`)
  }
  return violations
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

function isAllowed(layer: Layer, target: string): boolean {
  if (target.startsWith('node:')) return !packagesOfPureLayers[layer]
  if (target.endsWith('.ts')) return !isTest(target) && isAllowedLayer(layer, layerOf(target))
  const name = packageName(target)
  const owner = ownedPackages.find(([pattern]) => pattern.test(name))?.[1]
  return (owner ?? layer) === layer && (packagesOfPureLayers[layer]?.includes(name) ?? true)
}

function isAllowedLayer(layer: Layer, target: Layer | undefined): boolean {
  const allowed: readonly Layer[] = mayImport[layer]
  return target !== undefined && (target === layer || allowed.includes(target))
}

function layerOf(path: string): Layer | undefined {
  return homes.find(([pattern]) => pattern.test(path))?.[1]
}

/** The package of `@scope/name/path` or `name/path`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
