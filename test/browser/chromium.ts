import { execFileSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const PLACES = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
/** Where Playwright keeps what it has downloaded, and where in there the programs are. */
const CACHES = [
  process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? '',
  join(homedir(), '.cache/ms-playwright'),
  join(homedir(), 'Library/Caches/ms-playwright'),
]
const IN_CACHE = ['chrome-linux64/chrome', 'chrome-linux/chrome', 'chrome-headless-shell-linux64/chrome-headless-shell']

const INSTALLER = fileURLToPath(new URL('../../scripts/install-chromium.mjs', import.meta.url))

/** Once for all files that a worker runs: an installation that failed is not tried again. */
let found: string | null | undefined

/** The program of a browser: one that is there, or one that could be installed without questions; null where there is none. */
export function findChromium(): string | null {
  if (found === undefined) found = existing() ?? installed()
  return found
}

function existing(): string | null {
  const asked = process.env['CHROMIUM_PATH']
  if (asked !== undefined && asked !== '') {
    if (isProgram(asked)) return asked
    throw new Error(`CHROMIUM_PATH: there is no program at ${asked}.`)
  }
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...onPath, ...PLACES, ...cached()].find(isProgram) ?? null
}

function cached(): string[] {
  return CACHES.flatMap((cache) =>
    entriesOf(cache)
      .filter((name) => name.startsWith('chromium'))
      .flatMap((name) => IN_CACHE.map((path) => join(cache, name, path))),
  )
}

function installed(): string | null {
  try {
    execFileSync(process.execPath, [INSTALLER], { stdio: ['ignore', 2, 2], timeout: 175_000 })
  } catch {
    // It has said why.
  }
  const program = existing()
  if (program === null) {
    console.warn(
      '\n!!! NO BROWSER: the tests of the dashboard are SKIPPED. Install Chromium, or say where it is with CHROMIUM_PATH.\n',
    )
  }
  return program
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
