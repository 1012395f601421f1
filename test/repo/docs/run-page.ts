import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Block } from './blocks.ts'
import type { Place } from './made-package.ts'
import { askedBy, printedBy, scriptOf } from './page-script.ts'
import { ROOT } from './pages.ts'
import { printedPattern } from './printed.ts'
import { openRelay } from './relay.ts'

const PRELUDE = readFileSync(new URL('prelude.sh', import.meta.url), 'utf8')
const BIN = fileURLToPath(new URL('bin', import.meta.url))
const LOADER = new URL('../../harness/typescript-loader.mjs', import.meta.url).href
const SECRET = 'a secret of these tests that is long enough to be one'
const LIMIT_MS = 240_000

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Runs the commands of a page as somebody would who pastes them one after the other in an empty directory. */
export async function runPage(
  page: string,
  blocks: readonly Block[],
  place: Place,
  databaseUrl: string,
): Promise<Ended> {
  const run = join(place.folder, 'pages', page.replaceAll(/[/.]/g, '-'))
  const directory = join(run, 'work')
  await mkdir(directory, { recursive: true })
  const portFile = join(run, 'service.port')
  await using relay = await openRelay(portFile)
  const script = `${PRELUDE}\n${scriptOf(blocks, { url: relay.url, databaseUrl })}`
  const { PATH = '', HOME = '' } = process.env
  const shell = spawn('bash', ['-c', script], {
    cwd: directory,
    // Whatever it leaves behind is of its group, and ends with it.
    detached: true,
    env: {
      PATH: `${BIN}:${PATH}`,
      HOME,
      BIN,
      ROOT,
      RUN: run,
      PORT_FILE: portFile,
      PACKAGE: place.package,
      LOADER,
      REAL_NODE: process.execPath,
      REAL_NPM: join(dirname(process.execPath), 'npm'),
      PONTUAL_LOG: 'silent',
      ...(databaseUrl === '' ? {} : { DATABASE_URL: databaseUrl, PONTUAL_JWT_SECRET: SECRET }),
      ...(askedBy(blocks) === 'start' ? tokens() : {}),
    },
  })
  const end = () => {
    try {
      process.kill(-shell.pid!, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += String(data)))
  const timer = setTimeout(end, LIMIT_MS)
  const code = await new Promise<number | null>((resolve) => shell.once('exit', resolve))
  clearTimeout(timer)
  end()
  const missed = code === 0 ? await notPrinted(blocks, run) : null
  return missed === null ? { code, output } : { code: 1, output: missed }
}

/** What a page says its commands print, and they do not; null where they do. */
async function notPrinted(blocks: readonly Block[], run: string): Promise<string | null> {
  const missed: string[] = []
  for (const [index, block] of blocks.entries()) {
    const said = printedBy(blocks, index)
    if (said === null) continue
    const printed = await readFile(join(run, `printed-${index}`), 'utf8')
    if (!printedPattern(said.text).test(printed)) {
      missed.push(`${block.page}:${said.line}: It does not print\n${said.text}but\n${printed}`)
    }
  }
  return missed.length === 0 ? null : missed.join('\n')
}

/** What an Admin of acme shows to a service in production. */
function tokens(): Record<string, string> {
  const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 3_600
  const claims = { clienteId: 'acme', sub: 'ana', profile: 'Admin', exp }
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  const token = `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
  return { TOKEN: token, PONTUAL_TOKEN: token }
}
