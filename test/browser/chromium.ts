import { accessSync, constants, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { leaveOut } from '../harness/left-out.ts'

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

/** The program of a browser; null if there is none, and the tests of the dashboard are left out. */
export function findChromium(): string | null {
  const found = existing()
  if (found === null) leaveOut('tests of the dashboard', 'install Chromium, or set CHROMIUM_PATH')
  return found
}

/** Tells if the tests of the dashboard that `npm test` has no time for run too. */
export function isThoroughRun(): boolean {
  const isThorough = process.env['PONTUAL_BROWSER'] === 'all'
  if (!isThorough) leaveOut('longer tests of the dashboard', 'npm run prove -- browser')
  return isThorough
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
