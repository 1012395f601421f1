import { useId } from 'preact/hooks'
import { timeOfDay, zoneName } from '../language/format.ts'
import { inBoth } from '../language/language.ts'
import { zones } from '../language/zone.ts'
import { Field } from './field.tsx'
import { now } from './time.tsx'

const zoneTexts = inBoth({
  'pt-BR': { label: 'Fuso horário', hint: 'Digite para buscar: São Paulo, Lisbon, UTC…', now: 'Agora lá:' },
  en: { label: 'Time zone', hint: 'Type to search: Sao Paulo, Lisbon, UTC…', now: 'There it is now' },
})

interface ZoneFieldProps {
  readonly value: string
  readonly onInput: (zone: string) => void
  readonly problem?: string | undefined
  readonly isRequired?: boolean
}

/** A time zone, searched by typing a part of its name. */
export function ZoneField({ value, onInput, problem, isRequired = false }: ZoneFieldProps) {
  const texts = zoneTexts.value
  const listId = useId()
  return (
    <Field
      label={texts.label}
      isRequired={isRequired}
      problem={problem}
      hint={
        isKnownZone(value)
          ? `${texts.now} ${timeOfDay(now.value, { timeZone: value })} ${zoneName(now.value, value)}`
          : texts.hint
      }
    >
      {(control) => (
        <>
          <input
            {...control}
            list={listId}
            value={value}
            spellcheck={false}
            autocomplete="off"
            // Names have underscores where people write spaces.
            onInput={(event) => onInput(event.currentTarget.value.trim().replaceAll(' ', '_'))}
          />
          <datalist id={listId}>
            {zones().map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

export function isKnownZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
