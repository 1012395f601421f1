import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withIncludes } from '../../../docs/.vitepress/includes.ts'
import { configDeclaration, variablesTable } from '../../../scripts/reference/configuration.ts'
import { devLogger } from '../../../src/cli/dev/dev-logger.ts'
import { prepareDevNode } from '../../../src/cli/dev/dev-node.ts'
import { type Environment, VARIABLES } from '../../../src/cli/variables.ts'
import { variableOf } from '../../../src/engine/app/cron-overrides.ts'
import { ROOT } from './pages.ts'

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(ROOT, 'src', path), 'utf8'))
  .join('\n')

/** The beginnings of names that are put together, and a constant that is no variable. */
const NO_VARIABLES = ['PONTUAL_HTTP', 'PONTUAL_WEBHOOK', 'PONTUAL_JOBS', 'PONTUAL_OPTIONS']

/** By what names the sources speak of the environment. */
function namesInSources(): Set<string> {
  const own = [...sources.matchAll(/\bPONTUAL_[A-Z]+(?:_[A-Z]+)*/g)].map(([name]) => name)
  const others = [
    ...sources.matchAll(/\b(?:environment|env)\??\.?\['([A-Z][A-Z_]+)'\]/g),
    ...sources.matchAll(/\benv\.([A-Z][A-Z_]+)\b/g),
    ...sources.matchAll(/\.env\('([A-Z_]+)'\)/g),
    ...sources.matchAll(/\{ ([A-Z_]+) \} = process\.env/g),
  ].map(([, name]) => name!)
  return new Set([...own, ...others].filter((name) => !NO_VARIABLES.includes(name)))
}

function configurationPage(language: 'en' | 'pt'): string {
  const page = readFileSync(join(ROOT, `docs/${language === 'en' ? '' : 'pt/'}reference/configuration.md`), 'utf8')
  return withIncludes(page, (path) => (path.endsWith('/config.md') ? configDeclaration() : variablesTable(language)))
}

/** The variables in the tables of the page. */
function namesOnPage(page: string): Set<string> {
  const cells = [...page.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell]) => cell!)
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)))
}

it.each(['en', 'pt'] as const)('the page of configuration has every variable that is read (%s)', (language) => {
  const told = namesOnPage(configurationPage(language))
  const read = namesInSources()
  expect(read.size).toBeGreaterThanOrEqual(50)
  expect([...read].filter((name) => !told.has(name))).toEqual([])
})

it('the page of configuration has no variable that nobody reads', () => {
  const read = new Set([...namesInSources(), ...Object.keys(VARIABLES)])
  const ofOthers = ['PONTUAL_JOBS__<NAME>__CRON', 'PGHOST', 'PGUSER', 'PGPASSWORD', 'NO_COLOR']
  const told = [...namesOnPage(configurationPage('en'))]
  expect(told.filter((name) => !read.has(name) && !ofOthers.includes(name))).toEqual([])
})

it('a job has the variable that the page of configuration says', () => {
  expect(configurationPage('en')).toContain(variableOf('NAME').replace('__NAME__', '__<NAME>__'))
})

it('pontual dev reads the variables that the page of configuration names', () => {
  const read = new Set<string>()
  // Only who has a mail server is asked whom mails are from.
  const set: Environment = { PONTUAL_SMTP_URL: 'smtp://127.0.0.1:2525', PONTUAL_MAIL_FROM: 'jobs@example.com' }
  const environment = new Proxy(set, {
    get: (target, name) => {
      read.add(String(name))
      return target[String(name)]
    },
  })
  prepareDevNode({ data: null, demo: 'en', environment })
  devLogger(environment)
  const row = configurationPage('en')
    .split('\n')
    .filter((line) => line.includes('for `pontual dev` too'))
  expect([...read].sort()).toEqual([...namesOnPage(row.join('\n'))].sort())
})
