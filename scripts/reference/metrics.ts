import { job, memory, pontual } from '../../src/index.ts'
import { createApi } from '../../src/server/create-api.ts'
import { emptyFamilies } from '../../src/service/metrics/store-metrics.ts'
import { code, type Language, page, prose, table } from './markdown.ts'

const WORDS = {
  title: { en: 'Metrics', pt: 'Métricas' },
  lead: {
    en: '`GET /metrics` answers in the text format of Prometheus; the same goes out by OpenTelemetry where the application has a meter. Who asks with the permission `jobs:read` sees those of the tenant, who asks with `PONTUAL_METRICS_TOKEN` those of all.',
    pt: '`GET /metrics` responde no formato de texto do Prometheus; o mesmo sai por OpenTelemetry onde a aplicação tem um medidor. Quem pergunta com a permissão `jobs:read` vê as do seu tenant; com `PONTUAL_METRICS_TOKEN`, as de todos. As descrições estão em inglês, como o Prometheus as recebe.',
  },
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
  return page(language, WORDS.title, WORDS.lead, [table(WORDS.header[language], rows)])
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
