import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlantedBug } from './planted-bug.ts'
import { sourcesWith } from './registry.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const COPIED = ['src', 'test', 'sql', 'package.json', 'tsconfig.json', 'vitest.config.ts']

/** A copy of the sources and tests in which a bug can be planted. */
export class Copy implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'pontual-planted-'))

  constructor() {
    const present = readdirSync(root)
    for (const name of COPIED) {
      if (present.includes(name)) cpSync(join(root, name), join(this.folder, name), { recursive: true })
    }
    // Each package by itself, so that what vitest keeps in node_modules stays in this folder.
    const packages = join(this.folder, 'node_modules')
    mkdirSync(packages)
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(packages, name), 'junction')
    }
  }

  /** Plants a bug until the result is disposed of. */
  plant(bug: PlantedBug): Disposable {
    const before = [...sourcesWith(bug)].map(([file, text]) => {
      const path = join(this.folder, file)
      const source = readFileSync(path, 'utf8')
      writeFileSync(path, text)
      return () => writeFileSync(path, source)
    })
    return {
      [Symbol.dispose]: () => {
        for (const restore of before) restore()
      },
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
