/** The files of a project, by their paths. */
export type ProjectFiles = Readonly<Record<string, string>>

/** What a project has whether or not it is one of Pontual's: one that is there stays as it is. */
export const OF_ANY_PROJECT: ReadonlySet<string> = new Set(['package.json', 'tsconfig.json', '.gitignore'])

const CONFIG = `import { defineConfig } from 'pontual/server'

export default defineConfig({
  jobs: ['jobs/*.ts'],
})
`

const GREET = `import { cron, job } from 'pontual'

/** Every minute. Change a line, save, and \`pontual dev\` runs it anew. */
export const greet = job('greet', {
  schedule: { trigger: cron('* * * * *') },
  run: async (_input: undefined, { logger }) => {
    logger.info('Good day', { from: 'jobs/greet.ts' })
  },
})
`

const ORDER = `import { type DurableContext, cron, job } from 'pontual'

interface Order {
  readonly customer: string
  readonly cents: number
}

/** Durable: every step is recorded. End \`pontual dev\` while an order sleeps, start it again, and the order goes on; nothing is charged twice. */
export const processOrder = job('process-order', {
  durable: true,
  schedule: { trigger: cron('*/5 * * * *'), input: { customer: 'Padaria Aurora', cents: 18_900 } },
  run: async (order: Order, context: DurableContext) => {
    const payment = await context.run('charge', ({ logger, idempotencyKey }) => {
      logger.info('Charged', { ...order })
      return { reference: idempotencyKey.slice(0, 8) }
    })
    await context.sleep('20s')
    await context.run('ship', ({ logger }) => logger.info('Shipped', { customer: order.customer, ...payment }))
    return { status: 'shipped', ...payment }
  },
})
`

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "types": ["node"],
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true
  },
  "include": ["pontual.config.ts", "jobs"]
}
`

const GITIGNORE = `node_modules/
.pontual*
`

/** A small project of that name. `dependency`: on Pontual, as npm understands it. */
export function projectFiles(name: string, dependency: string): ProjectFiles {
  const manifest = {
    name,
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: { dev: 'pontual dev', start: 'pontual start', typecheck: 'tsc' },
    dependencies: { pontual: dependency },
    devDependencies: { '@types/node': '^20', typescript: '^5.9' },
  }
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'pontual.config.ts': CONFIG,
    'jobs/greet.ts': GREET,
    'jobs/process-order.ts': ORDER,
    'tsconfig.json': TSCONFIG,
    '.gitignore': GITIGNORE,
  }
}
