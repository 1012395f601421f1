import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// The schema, and the programs of threads and processes, are files of their own. A bundler does not take them along, so the build
// (scripts/build.mjs) writes their content into this module in place of each null. Sources use the files.

/** The texts of `sql/` by path without the extension, and the version of the package. */
export const EMBEDDED_SCHEMA = null as {
  readonly version: string
  readonly texts: Readonly<Record<string, string>>
} | null

/** The program of an isolate, without imports of other files. */
export const EMBEDDED_ISOLATE = null as string | null

/** The program of the thread that renews the lease, without imports of other files; it includes `pg`. */
export const EMBEDDED_RENEWAL = null as string | null

/** How to start a program: from its file or, in a bundle, from its text. */
export type Program = { readonly file: URL } | { readonly code: string }

/**
 * The program that is in a file relative to a module.
 * @param module where the module is: its `import.meta.url`, which a bundle in CommonJS leaves undefined
 * @param own the path of the module within Pontual, without its extension
 */
export function programBeside(module: string | undefined, own: string, file: string, code: string | null): Program {
  const found = fileBeside(module, own, file)
  if (found) return { file: found }
  if (code !== null) return { code }
  throw new Error(`${file} of Pontual is missing, and this build does not include it.`)
}

/** null if a bundler has moved the module away from the file. */
function fileBeside(module: string | undefined, own: string, file: string): URL | null {
  // `.ts` in a clone, `.js` in the package.
  const extension = ['.ts', '.js'].find((each) => module?.endsWith(`/${own}${each}`))
  if (module === undefined || extension === undefined) return null
  const url = new URL(`${file}${extension}`, module)
  // Some bundlers keep the address that the module had on the machine of the build.
  return existsSync(fileURLToPath(url)) ? url : null
}
