import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Older than every release. As long as there is none, the version before has these sources, and functions with another text. */
const VERSION = '0.0.0'

/** The sources, and the programs of the cast. */
const COPIED = [
  'src',
  'sql',
  'test/proofs/torture',
  'test/harness/chance.ts',
  'test/harness/typescript-loader.mjs',
  'package.json',
]

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

export interface VersionBefore extends AsyncDisposable {
  /** A folder in which the programs of the cast run on the sources of that version. */
  readonly root: string
}

/** A version whose nodes find functions of a newer version in the database, once that has migrated it, and leave them there when they restart. */
export async function placeVersionBefore(): Promise<VersionBefore> {
  const root = await mkdtemp(join(tmpdir(), 'pontual-version-before-'))
  const remove = () => rm(root, { recursive: true, force: true })
  try {
    for (const path of COPIED) await cp(join(ROOT, path), join(root, path), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    await change(join(root, 'package.json'), (text) => text.replace(/"version": "[^"]+"/, `"version": "${VERSION}"`))
    const functions = join(root, 'sql/functions')
    for (const name of await readdir(functions)) {
      await change(join(functions, name), (text) => text.replace(/^(as \$\$)/m, '$1 -- Of the version before.\n'))
    }
    return { root, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function change(path: string, edit: (text: string) => string): Promise<void> {
  await writeFile(path, edit(await readFile(path, 'utf8')))
}
