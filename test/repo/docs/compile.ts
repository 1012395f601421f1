import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Module } from './modules.ts'
import { ROOT } from './pages.ts'

/** What the compiler says to all of them in one run, on the sources by the name of the package: a line each, with the place on the page. */
export async function compile(modules: readonly Module[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pontual-docs-'))
  try {
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { paths: await entryPoints(), typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: ['**/*.ts'],
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    for (const { path, text } of modules) {
      await mkdir(join(folder, dirname(path)), { recursive: true })
      await writeFile(join(folder, path), `${text}\nexport {}\n`)
    }
    return placed(await tsc(folder), modules)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Every entry point of the package as the source that it is compiled from. */
async function entryPoints(): Promise<Record<string, string[]>> {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { exports: object }
  const entries = Object.entries(exports).flatMap(([name, { types }]: [string, { types?: string }]) =>
    types === undefined
      ? []
      : [[`pontual${name.slice(1)}`, [types.replace('./dist/', `${ROOT}src/`).replace('.d.ts', '.ts')]]],
  )
  return Object.fromEntries(entries) as Record<string, string[]>
}

function tsc(folder: string): Promise<string> {
  const program = join(ROOT, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve) => {
    const options = { cwd: folder, maxBuffer: 64 * 1_024 * 1_024 }
    execFile(process.execPath, [program, '-p', folder, '--pretty', 'false'], options, (_error, output) =>
      resolve(output),
    )
  })
}

function placed(output: string, modules: readonly Module[]): string[] {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const lines = output.split('\n').filter((line) => /^\S.*error TS/.test(line))
  return lines.map((line) =>
    line.replace(/^(.*?)\((\d+),\d+\)/, (place, path: string, number: string) => {
      return byPath.get(path)?.origins[Number(number) - 1] ?? place
    }),
  )
}
