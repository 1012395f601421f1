import { type Import, readImports } from './import-graph.ts'

/** A file of the dashboard, or one of src/ that it brings along; paths are relative to the root of the repository. */
export interface DashboardFile {
  readonly path: string
  readonly imports: readonly Import[]
  readonly lineCount: number
}

/** What goes to every browser with it. */
const PACKAGES = ['preact', '@preact/signals', '@tanstack/preact-query', 'wouter-preact']

/** What of src/ it may import besides types: texts, and rules that need neither a server nor anything else of src/ that does not stand here. */
const SHARED: readonly RegExp[] = [
  /^src\/service\/i18n\/(en|(pt-br|en)\/[a-z-]+)\.ts$/,
  /^src\/(duration|errors|nearest)\.ts$/,
  /^src\/access\/(audit|permission|profile)\.ts$/,
  /^src\/job\/(execution\/execution|job-fields|job-status|rules\/(overlap|priority))\.ts$/,
  /^src\/time\/require\.ts$/,
  /^src\/service\/notifications\/error-class\.ts$/,
  /^src\/service\/search\/pieces\.ts$/,
]

const VAGUE_NAME = /(^|\/)(utils?|helpers?|common|types)(\.tsx?|\/)/
const LINE_LIMIT = 400

export function readDashboardFile(path: string, text: string): DashboardFile {
  return { path, imports: readImports(path, text), lineCount: text.split('\n').length - 1 }
}

/** What a file does that the design forbids, as sentences. */
export function findDashboardViolations({ path, imports, lineCount }: DashboardFile): string[] {
  const violations: string[] = []
  if (VAGUE_NAME.test(path)) violations.push(`${path} has a name that says nothing`)
  if (/\.test\.tsx?$/.test(path)) return violations
  if (lineCount > LINE_LIMIT) violations.push(`${path} has ${lineCount} lines, more than ${LINE_LIMIT}`)
  for (const each of imports) if (!isAllowed(each)) violations.push(`${path} imports ${each.target}`)
  return violations
}

/** Files of src/ that end up in the bundle by what a file imports. */
export function sharedBy({ imports }: DashboardFile): string[] {
  return imports.filter((each) => !each.isTypeOnly && isShared(each.target)).map(({ target }) => target)
}

function isAllowed({ target, isTypeOnly }: Import): boolean {
  if (target.startsWith('dashboard/')) return target.startsWith('dashboard/src/') && !/\.test\.tsx?$/.test(target)
  if (target.startsWith('src/')) return isTypeOnly || isShared(target)
  return PACKAGES.some((name) => target === name || target.startsWith(`${name}/`))
}

function isShared(target: string): boolean {
  return SHARED.some((pattern) => pattern.test(target))
}
