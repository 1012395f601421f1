import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { PontualError } from '../../errors.ts'
import { findConfig } from '../config/load-project.ts'
import { dependencyOn, OWN_ROOT } from '../init/dependency.ts'
import { OF_ANY_PROJECT, projectFiles } from '../init/project-files.ts'
import { shellWord } from '../print/text.ts'
import type { Terminal } from '../terminal.ts'
import { readVersion } from '../version.ts'

export interface InitOptions {
  readonly json: boolean
}

/** `pontual init`: writes a small project that runs. What is there stays as it is. */
export function initProject(directory: string, { json }: InitOptions, terminal: Terminal): void {
  const target = resolve(directory)
  const dependency = dependencyOn(OWN_ROOT, readVersion())
  const files = Object.entries(projectFiles(nameOf(target), dependency))
  refuseExisting(
    target,
    files.map(([path]) => path).filter((path) => !OF_ANY_PROJECT.has(path)),
  )
  const missing = files.filter(([path]) => !existsSync(join(target, path)))
  for (const [path, text] of missing) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    // Not even one that has come meanwhile is overwritten.
    writeFileSync(join(target, path), text, { flag: 'wx' })
  }
  const written = missing.map(([path]) => path)
  const kept = files.map(([path]) => path).filter((path) => !written.includes(path))
  if (json)
    terminal.write(
      `${JSON.stringify({ directory: target, written, kept, remarks: remarksOn(target, kept, dependency) })}\n`,
    )
  else terminal.write(tell(target, written, kept, dependency))
}

function refuseExisting(target: string, paths: readonly string[]): void {
  const config = findConfig(undefined, target)
  const existing = paths.filter((path) => existsSync(join(target, path)))
  if (config !== null && !existing.includes(basename(config))) existing.unshift(basename(config))
  if (existing.length === 0) return
  const [thing, them] = existing.length === 1 ? ['is', 'it'] : ['are', 'them']
  const message = `Nothing was written: ${existing.join(', ')} ${thing} there already. Move ${them} away, or name another directory: pontual init my-jobs`
  throw new PontualError('init.exists', message, { directory: target, existing })
}

/** As npm takes it. */
function nameOf(target: string): string {
  const name = basename(target)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' || name === 'pontual' ? 'my-jobs' : name
}

/** What a project that was there before still needs. */
function remarksOn(target: string, kept: readonly string[], dependency: string): string[] {
  const remarks: string[] = []
  if (kept.includes('package.json')) {
    const { type, dependencies = {} } = readManifest(target)
    if (type !== 'module') remarks.push('package.json needs "type": "module", or the files have to end in .mts.')
    const wanted = isFile(dependency) ? shellWord(dependency) : 'pontual'
    if (dependencies['pontual'] === undefined) remarks.push(`package.json needs pontual: npm install ${wanted}`)
  }
  if (kept.includes('tsconfig.json')) {
    remarks.push(
      'tsconfig.json should say "erasableSyntaxOnly" and "verbatimModuleSyntax": types are taken out, nothing else is changed.',
    )
  }
  if (kept.includes('.gitignore')) remarks.push('.gitignore should have a line .pontual*')
  return remarks
}

interface Manifest {
  readonly type?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
}

/** What of it can be read: it is the user's own, and may be unfinished. */
function readManifest(target: string): Manifest {
  try {
    return (JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) ?? {}) as Manifest
  } catch {
    return {}
  }
}

function isFile(dependency: string): boolean {
  return dependency.startsWith('file:')
}

function tell(target: string, written: readonly string[], kept: readonly string[], dependency: string): string {
  const place = relative(process.cwd(), target)
  const steps = [...(place === '' ? [] : [`cd ${shellWord(place)}`]), 'npm install', 'npx pontual dev']
  return [
    `Written${place === '' ? '' : ` in ${place}`}:`,
    ...written.map((path) => `  ${path}`),
    ...(kept.length === 0
      ? []
      : [`Left as it was: ${kept.join(', ')}`, ...remarksOn(target, kept, dependency).map((each) => `  ${each}`)]),
    ...(isFile(dependency) && written.includes('package.json')
      ? [`Pontual is taken from where this one is from: ${dependency.slice('file:'.length)}`]
      : []),
    '',
    'Next:',
    ...steps.map((step) => `  ${step}`),
    '',
  ].join('\n')
}
