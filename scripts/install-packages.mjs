import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { withLock } from './lock.mjs'
import { main, run, ScriptError } from './run.mjs'

/** How to tell that a Debian package, or the same program from elsewhere, is on this machine. */
const PACKAGES = {
  postgresql: () => namesIn('/usr/lib/postgresql').length > 0 || isOnPath('postgres'),
  chromium: () =>
    ['chromium', 'chromium-browser', 'google-chrome'].some(isOnPath) || Boolean(process.env.CHROMIUM_PATH),
  pgbouncer: () => existsSync('/usr/sbin/pgbouncer') || isOnPath('pgbouncer'),
}
const LIST_MS = 2 * 60_000
const INSTALL_MS = 10 * 60_000

// Installs the named Debian packages if they are missing and root can install them without questions. Otherwise says so; the tests then leave out their part.
await main(async () => {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !(name in PACKAGES))
  if (asked.length === 0 || unknown.length > 0) {
    throw new ScriptError(`Name one or more of ${Object.keys(PACKAGES).join(', ')}; got "${unknown.join('", "')}".`)
  }
  if (missing(asked).length === 0) return
  const obstacle = obstacleTo()
  if (obstacle) return console.error(`Not installed: ${missing(asked).join(', ')} (${obstacle})`)
  await withLock(join(tmpdir(), 'pontual-packages.lock'), async () => {
    const names = missing(asked)
    if (names.length === 0) return
    console.error(`Installing ${names.join(', ')} (apt-get) …`)
    await aptGet(['update'], LIST_MS)
    await aptGet(['install', '--yes', '--no-install-recommends', ...names], INSTALL_MS)
  })
  const left = missing(asked)
  if (left.length > 0) console.error(`Not installed: ${left.join(', ')} (apt-get failed)`)
})

function missing(names) {
  return names.filter((name) => !PACKAGES[name]())
}

function obstacleTo() {
  if (process.getuid?.() !== 0) return 'only root can install packages'
  if (!existsSync('/usr/bin/apt-get')) return 'there is no apt-get'
  // Ubuntu's package "chromium" holds no browser.
  if (!/^ID=debian$/m.test(existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''))
    return 'this is not Debian'
  return null
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : []
}

function aptGet(args, timeout) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=3']
  return run('apt-get', [...options, ...args], { env, timeout, stdio: ['ignore', 2, 2] })
}
