import { useSignal } from '@preact/signals'
import { zoneName } from '../../language/format.ts'
import { viewerZone } from '../../language/zone.ts'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import { SPANS, type Span, spanOf, wallsOf, withRange, withSpan } from './range.ts'
import { executionListTexts } from './texts.ts'

interface PeriodProps {
  readonly query: string
  readonly onChange: (query: string) => void
  readonly isArchived: boolean
  readonly onArchived: (isArchived: boolean) => void
}

/** How far back the list goes. What is chosen stands in the search, where it can be read and changed too. */
export function Period({ query, onChange, isArchived, onArchived }: PeriodProps) {
  const texts = executionListTexts.value
  const isChoosing = useSignal(false)
  const said = spanOf(query)
  const span: Span = isChoosing.value ? 'own' : said
  const zone = viewerZone.value
  const [from, to] = wallsOf(query, zone)
  const short = zoneName(Date.now(), zone)
  return (
    <div class="execution-period">
      <SelectField
        label={texts.period}
        value={span}
        options={[
          { value: 'all', name: isArchived ? texts.anyTimeArchived : texts.anyTime },
          ...SPANS.map((value) => ({ value, name: texts.spans[value] })),
          { value: 'own', name: texts.own },
        ]}
        onChange={(value) => {
          isChoosing.value = value === 'own'
          if (value !== 'own') onChange(withSpan(query, value as Exclude<Span, 'own'>))
        }}
      />
      {span === 'own' && (
        <>
          <TextField
            label={texts.from(short)}
            type="datetime-local"
            value={from}
            onInput={(value) => onChange(withRange(query, value, to, zone))}
          />
          <TextField
            label={texts.to(short)}
            type="datetime-local"
            value={to}
            onInput={(value) => onChange(withRange(query, from, value, zone))}
          />
        </>
      )}
      <CheckField label={texts.archived} isChecked={isArchived} onChange={onArchived} />
    </div>
  )
}
