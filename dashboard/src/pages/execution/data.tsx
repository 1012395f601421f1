import type { ExecutionDetailView } from '../../api/wire.ts'
import { JsonText } from '../../parts/json-text.tsx'
import { executionTexts } from './texts.ts'

/** What it was given and what it gave. */
export function GivenAndTaken({ execution }: { readonly execution: ExecutionDetailView }) {
  const texts = executionTexts.value
  const { payload, payloadError, output, outputError } = execution
  return (
    <div class="grid">
      <Value name={texts.input} value={payload} problem={payloadError} />
      <Value name={texts.output} value={output} problem={outputError} />
    </div>
  )
}

interface ValueProps {
  readonly name: string
  readonly value: unknown
  readonly problem?: ExecutionDetailView['payloadError']
}

export function Value({ name, value, problem }: ValueProps) {
  const texts = executionTexts.value
  return (
    <div class="execution-value">
      <h3>{name}</h3>
      {problem !== undefined ? (
        <p class="muted">{texts.unreadable[problem]}</p>
      ) : value === null || value === undefined ? (
        <p class="muted">{texts.nothing}</p>
      ) : (
        <JsonText value={value} label={name} />
      )}
    </div>
  )
}
