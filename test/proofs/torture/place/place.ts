import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { ServerUser } from '../../../harness/postgres/server-user.ts'
import { makeFolder, mountVolume } from './volume.ts'

const KEEPER = fileURLToPath(new URL('./keep-place.ts', import.meta.url))
const LOADER = new URL('../../../harness/typescript-loader.mjs', import.meta.url).href

/** Where a server lives. */
export interface Place {
  readonly folder: string
  /** Where its data are, on a file system of their own where that is possible. */
  readonly volume: string
  readonly data: string
}

export interface KeptPlace extends Place, AsyncDisposable {
  /** Whether the space of the volume is limited. */
  readonly isLimited: boolean
}

/** A place that is removed with all that runs in it when it is disposed of, or when our process ends, in whatever way. */
export async function openPlace(user: ServerUser, sizeMb: number): Promise<KeptPlace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'pontual-torture-')))
  await chmod(folder, 0o755)
  const volume = join(folder, 'volume')
  const place = { folder, volume, data: join(volume, 'data') }
  // Beside us before there is anything to clear away, and in a process group of its own, so that Ctrl-C does not reach it.
  const keeper = spawn(process.execPath, ['--import', LOADER, KEEPER, JSON.stringify(place)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  keeper.unref()
  for (const name of ['volume', 'wal']) await makeFolder(folder, name, user)
  const mounted = await mountVolume(volume, sizeMb)
  // The root of what was mounted belongs to root.
  await makeFolder(folder, 'volume', user)
  return { ...place, isLimited: mounted !== null, [Symbol.asyncDispose]: () => leave(keeper) }
}

async function leave(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return
  keeper.ref()
  const ended = once(keeper, 'close')
  keeper.stdin?.end()
  await ended
}
