import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutant.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = ['src', 'test', 'migrations', 'package.json', 'tsconfig.json', 'vitest.config.ts']

/** The sources and tests in a folder of their own, where a bug may be planted. */
export class Copy implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'pontual-mutants-'))

  constructor() {
    for (const name of COPIED) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    // Each package by itself, so that what vitest keeps in node_modules stays in this folder.
    const packages = join(this.folder, 'node_modules')
    mkdirSync(packages)
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(packages, name), 'junction')
    }
  }

  /** Plants a bug until what is returned is disposed of. */
  plant(mutant: Mutant): Disposable {
    const path = join(this.folder, mutant.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, mutated(source, mutant))
    return { [Symbol.dispose]: () => writeFileSync(path, source) }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function mutated(source: string, { name, file, find, replace }: Mutant): string {
  const [before, after, ...more] = source.split(find)
  if (before === undefined || after === undefined || more.length > 0) {
    const count = after === undefined ? 0 : more.length + 1
    throw new Error(`"${name}" must be planted anew: ${file} holds ${count} times, not once:\n${find}`)
  }
  return before + replace + after
}
