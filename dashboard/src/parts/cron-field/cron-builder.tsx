import { DAY_MS } from '../../../../src/duration.ts'
import { dateAs } from '../../language/format.ts'
import { SelectField, TextField } from '../field.tsx'
import { EVERY_MINUTES, expressionOf, RHYTHMS, type Rhythm, rhythmAs, rhythmOf } from './rhythm.ts'
import { cronTexts } from './texts.ts'

interface CronBuilderProps {
  readonly expression: string
  readonly onChange: (expression: string) => void
}

const DAYS = [1, 2, 3, 4, 5, 6, 0] as const
const MONTH = Array.from({ length: 31 }, (_, at) => at + 1)
const HOUR = Array.from({ length: 60 }, (_, minute) => minute)
/** A Sunday. */
const SUNDAY = Date.UTC(2023, 0, 1)

/** Writes the usual expressions for those who do not know cron; shows what an expression says where it is a usual one. */
export function CronBuilder({ expression, onChange }: CronBuilderProps) {
  const texts = cronTexts.value
  const rhythm = rhythmOf(expression)
  const set = (next: Rhythm) => onChange(expressionOf(next))
  return (
    <div class="form-grid cron-builder">
      <SelectField
        label={texts.rhythm}
        value={rhythm?.kind ?? ''}
        options={[
          ...(rhythm === null ? [{ value: '', name: texts.custom }] : []),
          ...RHYTHMS.map((kind) => ({ value: kind, name: texts.kinds[kind] })),
        ]}
        onChange={(kind) => {
          if (kind !== '') set(rhythmAs(kind as Rhythm['kind'], rhythm))
        }}
      />
      {rhythm?.kind === 'minutes' && (
        <SelectField
          label={texts.every}
          value={String(rhythm.every)}
          options={EVERY_MINUTES.map((every) => ({ value: String(every), name: texts.minutes(every) }))}
          onChange={(every) => set({ kind: 'minutes', every: Number(every) })}
        />
      )}
      {rhythm?.kind === 'hourly' && (
        <SelectField
          label={texts.atMinute}
          value={String(rhythm.minute)}
          options={HOUR.map((minute) => ({ value: String(minute), name: String(minute).padStart(2, '0') }))}
          onChange={(minute) => set({ kind: 'hourly', minute: Number(minute) })}
        />
      )}
      {rhythm?.kind === 'monthly' && (
        <SelectField
          label={texts.day}
          value={String(rhythm.day)}
          options={[
            ...MONTH.map((day) => ({ value: String(day), name: String(day) })),
            { value: 'last', name: texts.lastDay },
          ]}
          onChange={(day) => set({ ...rhythm, day: day === 'last' ? day : Number(day) })}
        />
      )}
      {rhythm !== null && 'time' in rhythm && (
        <TextField
          label={texts.time}
          type="time"
          value={rhythm.time}
          onInput={(time) => {
            if (time !== '') set({ ...rhythm, time })
          }}
        />
      )}
      {rhythm?.kind === 'weekly' && <WeekDays days={rhythm.days} onChange={(days) => set({ ...rhythm, days })} />}
    </div>
  )
}

/** At least one day stays: without any it would be every day. */
function WeekDays({
  days,
  onChange,
}: {
  readonly days: readonly number[]
  readonly onChange: (days: readonly number[]) => void
}) {
  return (
    <fieldset class="week-days">
      <legend>{cronTexts.value.days}</legend>
      {DAYS.map((day) => {
        const isOn = days.includes(day)
        return (
          <label key={day}>
            <input
              type="checkbox"
              checked={isOn}
              disabled={isOn && days.length === 1}
              onChange={() => onChange(isOn ? days.filter((each) => each !== day) : [...days, day])}
            />
            {dateAs(SUNDAY + day * DAY_MS, { weekday: 'short' }, 'UTC')}
          </label>
        )
      })}
    </fieldset>
  )
}
