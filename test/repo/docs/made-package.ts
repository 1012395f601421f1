import { spawn } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './pages.ts'

/** A folder in which whatever stands below can import the package, compiled from the sources as they are, and what the repository depends on. */
export interface Place {
  readonly folder: string
  readonly package: string
  remove(): Promise<void>
}

export async function makePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'pontual-pages-'))
  const made = join(folder, 'package')
  await mkdir(join(folder, 'node_modules'))
  await mkdir(made)
  await compileTo(join(made, 'dist'))
  await cp(join(ROOT, 'package.json'), join(made, 'package.json'))
  for (const name of ['sql', 'node_modules']) await symlink(join(ROOT, name), join(made, name))
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
  await symlink(made, join(folder, 'node_modules/pontual'))
  return { folder, package: made, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** What the compiler says is said elsewhere; here it has to write something that runs. */
async function compileTo(outDir: string): Promise<void> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const child = spawn(process.execPath, [
    tsc,
    '-p',
    join(ROOT, 'tsconfig.build.json'),
    '--declaration',
    'false',
    '--outDir',
    outDir,
  ])
  await new Promise((resolve) => child.once('close', resolve))
  await access(join(outDir, 'cli/main.js'))
}
