import { execFile, execFileSync } from 'node:child_process'
import { chown, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { ServerUser } from '../../../harness/postgres/server-user.ts'

const run = promisify(execFile)
const UNMOUNT = 'umount'

/**
 * A file system of its own size in a folder: ext4 in a file, which takes no more of the disk than is written to it. Null where we may not mount: then the
 * folder is like any other, and its space is not limited.
 */
export async function mountVolume(folder: string, sizeMb: number): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const image = `${folder}.ext4`
  try {
    const file = await open(image, 'w')
    await file.truncate(sizeMb * 2 ** 20)
    await file.close()
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', image])
    await run('mount', ['-o', 'loop', image, folder])
    return folder
  } catch {
    return null
  }
}

/** Nobody may use it by then; who does all the same keeps it until he ends, and it is out of sight. */
export function unmountVolume(folder: string): void {
  for (const options of [[], ['--lazy']]) {
    try {
      execFileSync(UNMOUNT, [...options, folder], { stdio: 'ignore' })
      return
    } catch {
      // It was never mounted, or somebody uses it.
    }
  }
}

/** A folder that the server's user may write to. */
export async function makeFolder(parent: string, name: string, { uid, gid }: ServerUser): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { recursive: true })
  if (uid !== undefined) await chown(folder, uid, gid ?? uid)
  return folder
}
