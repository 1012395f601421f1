import { DAY_MS } from '../../../../src/duration.ts'
import type { CalendarJson, ExcludedRule } from '../../../../src/time/calendars/json.ts'
import { dateAs } from '../../language/format.ts'
import { CheckList } from '../../parts/check-list.tsx'
import { CheckField, SelectField, TextField } from '../../parts/field.tsx'
import { begunAs, KINDS, type Kind, listOf, numbersOf, withField } from './definition.ts'
import { calendarTexts } from './texts.ts'

interface CalendarFieldsProps {
  readonly definition: CalendarJson
  readonly onChange: (definition: CalendarJson) => void
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]
const A_SUNDAY = Date.UTC(2026, 0, 4)

export function weekdayName(weekday: number): string {
  return dateAs(A_SUNDAY + weekday * DAY_MS, { weekday: 'long' }, 'UTC')
}

/** A calendar as a form. */
export function CalendarFields({ definition, onChange }: CalendarFieldsProps) {
  const texts = calendarTexts.value
  return (
    <>
      <SelectField
        label={texts.kind}
        value={definition.type}
        options={KINDS.map((value) => ({ value, name: texts.kinds[value] }))}
        onChange={(kind) => onChange(begunAs(kind as Kind, definition))}
      />
      <OwnFields definition={definition} onChange={onChange} />
      <div class="form-grid">
        <TextField
          label={texts.zone}
          hint={texts.zoneHint}
          value={definition.timeZone ?? ''}
          onInput={(zone) => onChange(withField(definition, 'timeZone', zone.trim()))}
        />
        <SelectField
          label={texts.onExcluded}
          value={definition.onExcluded ?? 'skip'}
          options={(Object.keys(texts.rules) as ExcludedRule[]).map((value) => ({ value, name: texts.rules[value] }))}
          onChange={(rule) => onChange(withField(definition, 'onExcluded', rule === 'skip' ? '' : rule))}
        />
      </div>
      {definition.base && <p class="hint">{texts.base}</p>}
    </>
  )
}

function OwnFields({ definition, onChange }: CalendarFieldsProps) {
  const texts = calendarTexts.value
  switch (definition.type) {
    case 'holiday':
      return (
        <TextField
          label={texts.dates}
          hint={texts.datesHint}
          lines={6}
          isMono
          value={definition.dates.join('\n')}
          onInput={(text) => onChange({ ...definition, dates: listOf(text) })}
        />
      )
    case 'annual':
      return (
        <TextField
          label={texts.annualDays}
          hint={texts.annualHint}
          lines={6}
          isMono
          value={definition.days.join('\n')}
          onInput={(text) => onChange({ ...definition, days: listOf(text) })}
        />
      )
    case 'monthly':
      return (
        <TextField
          label={texts.monthDays}
          hint={texts.monthHint}
          isMono
          value={definition.days.join(', ')}
          onInput={(text) => onChange({ ...definition, days: numbersOf(text) })}
        />
      )
    case 'weekly':
      return (
        <CheckList
          legend={texts.weekdays}
          options={WEEKDAYS.map((weekday) => ({ value: String(weekday), name: weekdayName(weekday) }))}
          chosen={definition.weekdays.map(String)}
          onChange={(chosen) =>
            onChange({ ...definition, weekdays: WEEKDAYS.filter((each) => chosen.includes(String(each))) })
          }
        />
      )
    case 'daily':
      return (
        <div class="form-grid">
          <TextField label={texts.from} value={definition.from} onInput={(from) => onChange({ ...definition, from })} />
          <TextField label={texts.to} value={definition.to} onInput={(to) => onChange({ ...definition, to })} />
          <CheckField
            label={texts.invert}
            isChecked={definition.invert === true}
            onChange={(invert) => onChange({ ...definition, invert })}
          />
        </div>
      )
    case 'cron':
      return (
        <TextField
          label={texts.expression}
          isMono
          value={definition.expression}
          onInput={(expression) => onChange({ ...definition, expression })}
        />
      )
  }
}
