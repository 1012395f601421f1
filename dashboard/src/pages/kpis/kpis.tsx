import './kpis.css'
import { withParameters } from '../../api/ask.ts'
import { useAnswer } from '../../api/questions.ts'
import type { KpisView, KpiView, PunctualityView } from '../../api/wire.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { duration, number, percent } from '../../language/format.ts'
import { Answer } from '../../parts/answer.tsx'
import { SelectField } from '../../parts/field.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Badge } from '../../parts/status.tsx'
import { may } from '../../session/session.ts'
import { SeriesCharts } from './series-charts.tsx'
import { kpiTexts } from './texts.ts'

const UNIT_MS = { seconds: 1_000, minutes: 60_000 } as const

/** A value of a KPI with its unit. */
function kpiValue(value: number | null, unit: KpiView['unit']): string {
  if (value === null) return '–'
  return unit === 'percent' ? `${number(value, 1)}%` : duration(value * UNIT_MS[unit])
}

/** Where a KPI should be: `≥ 95%`, `≤ 30 s`, `40% – 60%`. */
function kpiTarget({ target: { min, max }, unit }: Pick<KpiView, 'target' | 'unit'>): string {
  if (min !== undefined && max !== undefined) return `${kpiValue(min, unit)} – ${kpiValue(max, unit)}`
  return min === undefined ? `≤ ${kpiValue(max ?? null, unit)}` : `≥ ${kpiValue(min, unit)}`
}

const WINDOWS = [24, 168, 720, 2160] as const
const DEFAULT_HOURS = 24

/** How well the jobs do, against what is wanted. */
export function Kpis() {
  const texts = kpiTexts.value
  const [parameters, setParameters] = useUrlState()
  const asked = Number(parameters.get('hours'))
  const hours = WINDOWS.find((each) => each === asked) ?? DEFAULT_HOURS
  const kpis = useAnswer<KpisView>(withParameters('jobs/kpis', { windowHours: hours }), { keepsLast: true })
  return (
    <Page
      title={texts.title}
      actions={
        <SelectField
          label={texts.window}
          value={String(hours)}
          options={WINDOWS.map((each) => ({ value: String(each), name: texts.windows[each] }))}
          onChange={(value) => setParameters({ hours: value })}
        />
      }
    >
      <Answer query={kpis} lines={8}>
        {({ items, punctuality }) => (
          <>
            <ul class="kpis">
              {items.map((kpi) => (
                <li key={kpi.key}>
                  <KpiCard kpi={kpi} />
                </li>
              ))}
            </ul>
            <Punctuality punctuality={punctuality} />
          </>
        )}
      </Answer>
      {may('jobs:viewDashboard') ? <SeriesCharts hours={hours} /> : <p class="muted">{texts.needsDashboard}</p>}
    </Page>
  )
}

function KpiCard({ kpi }: { readonly kpi: KpiView }) {
  const texts = kpiTexts.value
  return (
    <article class="kpi">
      <h2>{kpi.name}</h2>
      <p class="figure-value">{kpiValue(kpi.value, kpi.unit)}</p>
      <p class="row">
        {kpi.isMet === null ? (
          <Badge tone="muted">{texts.nothing}</Badge>
        ) : (
          <Badge tone={kpi.isMet ? 'good' : 'bad'}>{kpi.isMet ? texts.met : texts.missed}</Badge>
        )}
        <span class="muted small">{texts.target(kpiTarget(kpi))}</span>
      </p>
      <details class="small">
        <summary>{texts.formula}</summary>
        <p class="muted">{kpi.formula}</p>
      </details>
    </article>
  )
}

function Punctuality({ punctuality }: { readonly punctuality: PunctualityView }) {
  const texts = kpiTexts.value
  return (
    <Section title={texts.punctuality}>
      <Facts
        facts={[
          [texts.onTime, `${percent(punctuality.onTimeRate)} · ${texts.executions(number(punctuality.executions))}`],
          [texts.lateness('p50'), duration(punctuality.p50Ms)],
          [texts.lateness('p95'), duration(punctuality.p95Ms)],
          [texts.lateness('p99'), duration(punctuality.p99Ms)],
          [texts.lateness('max'), duration(punctuality.maxMs)],
        ]}
      />
    </Section>
  )
}
