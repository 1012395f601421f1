import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The sources before, as this repository's own history has them: seven migrations behind. */
const COMMIT = 'a5626157708f5de12a1d04b9ea7bf6ed02e18a7e'

/** What the programs of the cast are made of. */
const CAST = [
  'test/proofs/torture',
  'test/harness/chance.ts',
  'test/harness/typescript-loader.mjs',
  'src/testing/random-words.ts',
]

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

export interface VersionBefore extends AsyncDisposable {
  /** A folder in which the programs of the cast run on the sources of that version. */
  readonly root: string
}

/** The cast as it is, on the sources as they were; or why that cannot be had here. */
export async function placeVersionBefore(): Promise<VersionBefore | { readonly obstacle: string }> {
  const root = await mkdtemp(join(tmpdir(), 'pontual-version-before-'))
  const remove = () => rm(root, { recursive: true, force: true })
  try {
    const archive = join(root, 'sources.tar')
    const run = promisify(execFile)
    await run('git', ['-C', ROOT, 'archive', '-o', archive, COMMIT, 'src', 'migrations', 'package.json'])
    await run('tar', ['-xf', archive, '-C', root])
    for (const path of CAST) await cp(join(ROOT, path), join(root, path), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    return { root, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    const reason = error instanceof Error ? error.message.split('\n').slice(0, 2).join(' ') : String(error)
    return { obstacle: `The version before cannot be had from the history of the repository: ${reason}` }
  }
}
