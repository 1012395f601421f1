import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Packages are found from there. */
const BUNDLES = join(ROOT, 'node_modules/.bundled')
/** What the sources start by its place beside them. */
const BESIDE = ['src/store/driver/renewal-thread.ts', 'src/engine/sandbox/inside/main.ts']

/** As much of the bundler as is used here. */
interface Bundler {
  readonly rolldown: (options: object) => Promise<{ write(options: object): Promise<unknown> }>
}

/**
 * A program that is TypeScript as few files of JavaScript, for as long as this process lives: where processes are killed as soon as they are there, most of what the machine
 * does is to load the sources, and this takes a fifth of it.
 */
export async function bundled(program: string): Promise<string> {
  mkdirSync(BUNDLES, { recursive: true })
  for (const name of readdirSync(BUNDLES)) if (!isAlive(Number.parseInt(name, 10))) remove(name)
  const folder = mkdtempSync(join(BUNDLES, `${process.pid}-`))
  for (const name of ['sql', 'package.json']) symlinkSync(join(ROOT, name), join(folder, name))
  const placeOf = (path: string) => relative(ROOT, path).replace(/\.ts$/, '.js')
  const { rolldown } = await bundler()
  const bundle = await rolldown({
    input: [program, ...BESIDE.map((path) => join(ROOT, path))],
    platform: 'node',
    external: (id: string) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [
      {
        name: 'own-place',
        // Each file looks for what is beside it where its own place would be.
        transform(code: string, id: string) {
          if (!code.includes('import.meta.url')) return null
          const url = JSON.stringify(pathToFileURL(join(folder, placeOf(id))).href)
          return `const ownUrl = ${url};${code.replaceAll('import.meta.url', 'ownUrl')}`
        },
      },
    ],
  })
  const entryFileNames = ({ facadeModuleId }: { readonly facadeModuleId: string }) => placeOf(facadeModuleId)
  await bundle.write({ dir: folder, format: 'esm', entryFileNames })
  return join(folder, placeOf(program))
}

/** The one that vitest's own vite brings along, as in `typescript-loader.mjs`. */
async function bundler(): Promise<Bundler> {
  const fromVitest = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'))
  const fromVite = createRequire(fromVitest.resolve('vite/package.json'))
  return (await import(pathToFileURL(fromVite.resolve('rolldown')).href)) as Bundler
}

function remove(name: string): void {
  rmSync(join(BUNDLES, name), { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
