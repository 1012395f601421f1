import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { LoadHook } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MessagePort } from 'node:worker_threads'
import { stripTypes } from './strip-types.ts'

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
