import { Button } from '../button.tsx'
import { TextField } from '../field.tsx'
import { Upcoming } from '../upcoming.tsx'
import { useCronAnswer } from './cron-answer.ts'
import { CronBuilder } from './cron-builder.tsx'
import './cron-field.css'
import { cronTexts } from './texts.ts'

interface CronFieldProps {
  readonly label: string
  readonly value: string
  readonly onInput: (expression: string) => void
  readonly timeZone: string
  /** The job whose calendar counts; `new` for none. */
  readonly jobId?: string
  readonly problem?: string | undefined
}

const PRESETS = [
  ['fiveMinutes', '*/5 * * * *'],
  ['hourly', '0 * * * *'],
  ['nightly', '0 2 * * *'],
  ['workdays', '0 9 * * 1-5'],
  ['monthly', '0 0 1 * *'],
] as const

/** A cron expression, with what it means while it is written. */
export function CronField({ label, value, onInput, timeZone, jobId = 'new', problem }: CronFieldProps) {
  const texts = cronTexts.value
  const { answer, isCurrent } = useCronAnswer(jobId, value, timeZone)
  const refused = isCurrent && answer?.valid === false ? answer.error : undefined
  return (
    <div class="cron-field">
      <TextField
        label={label}
        hint={texts.hint}
        isMono
        isRequired
        value={value}
        problem={problem ?? refused}
        onInput={onInput}
        more={{ name: 'cronExpression', spellcheck: false, autocomplete: 'off', maxLength: 100 }}
      />
      <div class="row" role="group" aria-label={texts.presets}>
        {PRESETS.map(([name, expression]) => (
          <Button key={name} isSmall pressed={value.trim() === expression} onClick={() => onInput(expression)}>
            {texts.preset[name]}
          </Button>
        ))}
      </div>
      <details>
        <summary>{texts.builder}</summary>
        <CronBuilder expression={value} onChange={onInput} />
      </details>
      <div class="cron-meaning">
        <p aria-live="polite">
          {answer?.description != null && (
            <>
              <span class="muted">{texts.meaning}: </span>
              <strong>{answer.description}</strong>
            </>
          )}
        </p>
        {answer?.valid === true && (
          <details open>
            <summary>{texts.next}</summary>
            <Upcoming times={answer.upcoming} zone={timeZone} label={texts.next} />
          </details>
        )}
      </div>
    </div>
  )
}
