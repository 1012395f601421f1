import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Stage } from '../stage.ts'
import type { Fault } from './fault.ts'

const NO_SPACE = '53100'
/** How long at most until the server misses the space: it goes on in pages that it has. */
const PATIENCE_MS = 6_000
const CROWD = 500
const BLOCK = Buffer.alloc(4_096)

/** No space is left for data: what needs more is refused. Then there is some again, and nobody helps. */
export const diskFull: Fault = {
  name: 'disk full',
  weight: 0.7,
  async obstacle({ server }) {
    if ((await server.freeSpace()) !== null) return null
    return 'A full disk (53100) was not tried: a file system of limited size can be mounted on Linux as root only.'
  },
  async strike(stage, chance, signal) {
    const before = await stage.server.refusals(NO_SPACE)
    const file = join(stage.server.folder, 'filling')
    const refused = async () => (await stage.server.refusals(NO_SPACE)) - before
    try {
      await fill(stage, file)
      // Needs pages that are not there.
      const crowd = stage.flood(CROWD, 0).catch(() => 0)
      const until = performance.now() + PATIENCE_MS
      while ((await refused()) === 0 && performance.now() < until && !signal.aborted) await stage.wait(100)
      await stage.wait(chance.between(500, 2_500))
      await rm(file, { force: true })
      await crowd
    } finally {
      await rm(file, { force: true })
    }
    const refusals = await refused()
    return { 'full disks': refusals > 0 ? 1 : 0, 'statements refused with 53100': refusals }
  },
}

/** All at once as far as the file system knows what it has, then block by block. */
async function fill({ server }: Stage, path: string): Promise<void> {
  const free = (await server.freeSpace()) ?? 0
  await promisify(execFile)('fallocate', ['--length', String(free), path]).catch(() => {})
  const file = await open(path, 'a')
  try {
    for (;;) await file.write(BLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}
