import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire, type LoadHook } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { MessagePort } from 'node:worker_threads'
import { PontualError } from '../../errors.ts'

// Runs in the thread of Node's module hooks, where Node does not read TypeScript by itself.

const TYPESCRIPT = /\.[mc]?ts$/

let seen: MessagePort | null = null

export function initialize(port: MessagePort | null): void {
  seen = port
}

export const load: LoadHook = async (url, context, nextLoad) => {
  seen?.postMessage(url)
  // As Node does: what is in packages has been built.
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return await nextLoad(url, context)
  const path = fileURLToPath(url)
  if (!TYPESCRIPT.test(path)) return await nextLoad(url, context)
  const source = stripTypes(await readFile(path, 'utf8'), path)
  return { format: formatOf(path), source, shortCircuit: true }
}

function formatOf(path: string): 'module' | 'commonjs' {
  if (!path.endsWith('.ts')) return path.endsWith('.mts') ? 'module' : 'commonjs'
  return typeOfPackage(dirname(path)) === 'commonjs' ? 'commonjs' : 'module'
}

function typeOfPackage(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { type?: unknown }).type
  } catch {
    const parent = dirname(folder)
    return parent === folder ? undefined : typeOfPackage(parent)
  }
}

/** What the stripper throws. */
interface Complaint {
  readonly message: string
  readonly snippet?: string
  readonly startLine?: number
}

/** JavaScript from TypeScript: types become spaces, so that lines and columns stay where they are. Its errors look as Node's own do. */
function stripTypes(source: string, path: string): string {
  const { transformSync } = loadStripper()
  try {
    return transformSync(source, { mode: 'strip-only', module: true, filename: path }).code
  } catch (thrown) {
    const { message, snippet = '', startLine = 1 } = thrown as Complaint
    const error = new SyntaxError(message)
    error.stack = `${pathToFileURL(path).href}:${startLine}\n${snippet}\nSyntaxError: ${message}`
    throw error
  }
}

function loadStripper(): typeof import('@swc/wasm-typescript') {
  try {
    return createRequire(import.meta.url)('@swc/wasm-typescript') as typeof import('@swc/wasm-typescript')
  } catch (cause) {
    const message =
      'To read TypeScript this version of Node needs the package "@swc/wasm-typescript": npm install @swc/wasm-typescript. Node 22.18 and later need nothing.'
    throw new PontualError('typescript.unreadable', message, { package: '@swc/wasm-typescript' }, { cause })
  }
}
