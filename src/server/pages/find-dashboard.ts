import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidInputError, quote } from '../../errors.ts'
import { requireOptions } from '../../time/require.ts'

/**
 * Whether the dashboard is served. `true`: it has to be there. `false`: nothing is served at `/jobs`, which is left to your own pages. `folder`: where its
 * files are, for code that a bundler has moved away from them: `node_modules/pontual/dist/dashboard`.
 */
export type DashboardOption = boolean | { readonly folder: string }

/** The folder of the dashboard's files; null where it is not wanted, or nobody asked for it and it is not there. */
export function findDashboard(wanted: DashboardOption | undefined): string | null {
  if (wanted === false) return null
  const folder = typeof wanted === 'object' ? requireOptions(wanted, 'dashboard', ['folder']).folder : besideThisCode()
  if (existsSync(join(folder, 'index.html'))) return folder
  if (wanted === undefined) return null
  const message = `There is no dashboard in ${quote(folder)}: in a clone npm run build makes it; the package has it in dist/dashboard.`
  throw new InvalidInputError('dashboard.not_built', message, { folder })
}

/** In the package it lies beside the other files of dist; in a clone, where the sources run, Vite has built it in its own folder. */
function besideThisCode(): string {
  const { url } = import.meta as { readonly url?: string }
  // A bundle in CommonJS does not know where it is.
  if (url === undefined) return ''
  const file = fileURLToPath(url)
  const levelsUp = file.endsWith('.ts') ? ['..', '..', '..', 'dashboard', 'dist'] : ['..', '..', 'dashboard']
  return join(dirname(file), ...levelsUp)
}
