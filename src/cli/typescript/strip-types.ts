import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { PontualError } from '../../errors.ts'

/** What the stripper throws. */
interface Complaint {
  readonly message: string
  readonly snippet?: string
  readonly startLine?: number
}

/** JavaScript from TypeScript: types become spaces, so that lines and columns stay where they are. Its errors look as Node's own do. */
export function stripTypes(source: string, path: string): string {
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
