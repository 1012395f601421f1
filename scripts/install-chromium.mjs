import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { main, run, ScriptError } from './run.mjs'

/** Where Debian puts it. */
const CHROMIUM = '/usr/bin/chromium'
/** Together they end before a test that waits for them gives up. */
const LIST_MS = 60_000
const INSTALL_MS = 110_000

// For tests that need a browser, where none was found: installs Debian's Chromium if that takes no questions.
await main(async () => {
  if (!isPossible()) throw new ScriptError('A browser is installed by itself only on Debian, by root.')
  await withLock(join(tmpdir(), 'pontual-chromium.lock'), async () => {
    if (existsSync(CHROMIUM)) return
    console.error('Installing a browser for the tests (apt-get install chromium) …')
    // Lists that are a few days old are as good.
    await aptGet(['update'], LIST_MS)
    await aptGet(['install', '--yes', '--no-install-recommends', 'chromium'], INSTALL_MS)
  })
  return existsSync(CHROMIUM) ? 0 : 1
})

/** On Ubuntu the package of that name holds no browser. */
function isPossible() {
  const isRoot = process.getuid?.() === 0
  return isRoot && existsSync('/usr/bin/apt-get') && /^ID=debian$/m.test(readIfThere('/etc/os-release'))
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function aptGet(args, timeout) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']
  return run('apt-get', [...options, ...args], { env, timeout, stdio: ['ignore', 2, 2] })
}
