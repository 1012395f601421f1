import { useAnswer } from '../../api/questions.ts'
import type { CalendarView, Page } from '../../api/wire.ts'
import { jobFieldHint, jobFieldName } from '../../language/job-fields.ts'
import { CronField } from '../../parts/cron-field/cron-field.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { ZoneField } from '../../parts/zone-field.tsx'
import type { FormState } from './form-state.ts'
import type { FormValues } from './form-values.ts'
import { Placed } from './placed.tsx'
import { formTexts } from './texts.ts'

interface ScheduleProps {
  readonly form: FormState
  /** null where there is no job yet. */
  readonly jobId: string | null
  /** The calendar that the job has. */
  readonly calendar: string
}

/** When the job fires. */
export function Schedule({ form, jobId, calendar }: ScheduleProps) {
  const { values, set, problemOf } = form
  const texts = formTexts.value
  const calendars = useAnswer<Pick<Page<CalendarView>, 'items'>>('jobs/calendars', { isLive: false })
  const names = new Set(calendars.data?.items.map(({ name }) => name) ?? [])
  if (values.calendar !== '') names.add(values.calendar)
  // The server knows the job with the calendar it has, not with the one that is being chosen.
  const isOwnCalendar = values.calendar === calendar
  return (
    <Section title={texts.sections.schedule}>
      <SelectField
        label={texts.when}
        value={values.kind}
        options={(['cron', 'trigger'] as const).map((kind) => ({ value: kind, name: texts.kinds[kind] }))}
        onChange={(kind) => set({ kind: kind as FormValues['kind'] })}
      />
      {values.kind === 'cron' ? (
        <>
          <Placed form={form} field="cronExpression">
            <CronField
              label={jobFieldName('cronExpression')}
              value={values.cronExpression}
              timeZone={values.timeZone}
              jobId={isOwnCalendar && jobId !== null ? jobId : 'new'}
              problem={problemOf('cronExpression')}
              onInput={(cronExpression) => set({ cronExpression })}
            />
          </Placed>
          <Placed form={form} field="timeZone">
            <ZoneField
              isRequired
              value={values.timeZone}
              problem={problemOf('timeZone')}
              onInput={(timeZone) => set({ timeZone })}
            />
          </Placed>
        </>
      ) : (
        <Placed form={form} field="trigger">
          <TextField
            label={jobFieldName('trigger')}
            hint={jobFieldHint('trigger')}
            isMono
            isRequired
            lines={7}
            value={values.trigger}
            problem={problemOf('trigger')}
            onInput={(trigger) => set({ trigger })}
          />
        </Placed>
      )}
      <SelectField
        label={jobFieldName('calendar')}
        hint={
          isOwnCalendar || values.calendar === '' || values.kind !== 'cron'
            ? jobFieldHint('calendar')
            : texts.calendarIgnored
        }
        value={values.calendar}
        problem={problemOf('calendar')}
        options={[{ value: '', name: texts.noCalendar }, ...[...names].map((name) => ({ value: name, name }))]}
        onChange={(chosen) => set({ calendar: chosen })}
      />
    </Section>
  )
}
