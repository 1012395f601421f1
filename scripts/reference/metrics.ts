import { job, memory, pontual } from '../../src/index.ts'
import { createApi } from '../../src/server/create-api.ts'
import { emptyFamilies } from '../../src/service/metrics/store-metrics.ts'
import { code, joined, type Language, prose, table } from './markdown.ts'

const WORDS = {
  header: { en: ['metric', 'type', 'labels', 'what it tells'], pt: ['métrica', 'tipo', 'rótulos', 'o que diz'] },
}

export async function metricsPage(language: Language): Promise<string> {
  const told = familiesIn(await readMetrics())
  const names = new Set(told.map(({ name }) => name))
  const rows = [...told, ...silent().filter(({ name }) => !names.has(name))].map(({ name, type, labels, help }) => [
    code(name),
    type,
    labels.map(code).join(', '),
    prose(help),
  ])
  return joined([table(WORDS.header[language], rows)])
}

/** What a store in memory, or one without a late run, has nothing to say about. */
function silent(): Family[] {
  return emptyFamilies().map((family) => {
    const [sample] = family.type === 'histogram' ? [] : family.samples
    const labels = family.name === 'pontual_lateness_seconds' ? ['quantile'] : Object.keys(sample?.labels ?? {})
    return { name: family.name, type: family.type, help: family.help, labels }
  })
}

/** What a service says after one run and one request, so that labels are there. */
async function readMetrics(): Promise<string> {
  const greet = job('greet', { run: async () => 'hello' })
  const app = pontual({ store: memory(), jobs: [greet], logger: 'silent' })
  await app.start()
  const api = await createApi(app, { identity: { dev: true }, metrics: { isPublic: true } })
  const here = { address: '127.0.0.1' }
  try {
    await app.setTenant('default', { concurrency: 5 })
    const { id } = await app.enqueue(greet)
    await app.waitFor(id)
    await api.fetch(new Request('http://127.0.0.1/api/jobs'), here)
    return await (await api.fetch(new Request('http://127.0.0.1/metrics'), here)).text()
  } finally {
    api.close()
    await app.stop()
  }
}

interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly labels: readonly string[]
}

function familiesIn(text: string): Family[] {
  return [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => {
    const [, type = ''] = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text) ?? []
    const [, sample = ''] = new RegExp(`^${name}(?:_bucket)?\\{([^}]*)\\}`, 'm').exec(text) ?? []
    return { name, type, help, labels: [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label) }
  })
}
