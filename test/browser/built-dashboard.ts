import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What Vite leaves behind, as small as it can be. */
export const BUILT = {
  'index.html':
    '<!doctype html><html lang="en"><head><title>Pontual</title><script type="module" src="./assets/main-AbCd1234.js"></script></head><body></body></html>',
  'pontual.svg': '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
  'assets/main-AbCd1234.js': `export const page = "${'x'.repeat(2_000)}"`,
  'assets/main-Ef_gh-78.css': 'body{margin:0}',
  'assets/logo.png': 'no real picture',
  '.vite/manifest.json': '{}',
  '.stamp': 'secret',
} as const satisfies Readonly<Record<string, string>>

interface BuiltDashboard extends Disposable {
  readonly folder: string
}

/** A dashboard in a folder of its own. */
export function builtDashboard(files: Readonly<Record<string, string>> = BUILT): BuiltDashboard {
  const folder = mkdtempSync(join(tmpdir(), 'pontual-dashboard-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
