import { useEffect, useState } from 'preact/hooks'
import { TextField } from '../field.tsx'
import { schemaFormTexts } from './texts.ts'
import { jsonText, readJson } from './value.ts'

interface JsonPartProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: unknown
  readonly problem: string | undefined
  readonly isRequired?: boolean
  readonly lines?: number
  readonly onChange: (value: unknown) => void
  /** Tells whether what is written is no JSON; what is not is never handed on. */
  readonly onBroken: (isBroken: boolean) => void
}

/** A value as JSON text. What somebody writes stays as he writes it for as long as it means the value. */
export function JsonPart({ label, hint, value, problem, isRequired, lines = 5, onChange, onBroken }: JsonPartProps) {
  const [written, setWritten] = useState<string | null>(null)
  const read = written === null ? null : readJson(written)
  const error = read !== null && 'error' in read ? read.error : null
  const isOwn = read !== null && ('error' in read || jsonText(read.value) === jsonText(value))
  useEffect(() => () => onBroken(false), [])
  const texts = schemaFormTexts.value
  return (
    <TextField
      label={label}
      hint={hint ?? texts.jsonHint}
      isMono
      lines={lines}
      {...(isRequired === undefined ? {} : { isRequired })}
      value={isOwn && written !== null ? written : jsonText(value)}
      problem={error === null ? problem : texts.brokenJson(error)}
      onInput={(text) => {
        setWritten(text)
        const next = readJson(text)
        onBroken('error' in next)
        if (!('error' in next)) onChange(next.value)
      }}
    />
  )
}
