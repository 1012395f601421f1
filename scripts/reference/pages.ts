import { apiDetails, apiPage } from './api.ts'
import { cliPage } from './cli.ts'
import { configurationPage } from './configuration.ts'
import { errorCodesPage } from './error-codes.ts'
import type { Pages } from './markdown.ts'
import { metricsPage } from './metrics.ts'
import { permissionsPage } from './permissions.ts'
import { restPage } from './rest.ts'
import { type Query, schemaPage } from './schema.ts'

/** Every generated page by its path from the root of the repository. */
export async function referencePages(query: Query): Promise<ReadonlyMap<string, string>> {
  const made: Readonly<Record<string, Pages>> = {
    api: apiPage,
    cli: cliPage,
    configuration: configurationPage,
    'error-codes': errorCodesPage,
    metrics: metricsPage,
    permissions: permissionsPage,
    rest: restPage,
    schema: (language) => schemaPage(language, query),
  }
  const pages = new Map<string, string>()
  for (const [name, make] of Object.entries(made)) {
    pages.set(`docs/reference/${name}.md`, await make('en'))
    pages.set(`docs/pt/reference/${name}.md`, await make('pt'))
  }
  for (const [name, text] of apiDetails()) pages.set(`docs/reference/api/${name}.md`, text)
  return pages
}
