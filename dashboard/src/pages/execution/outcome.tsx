import type { Divergence, ExecutionDetailView, MisfireInfo } from '../../api/wire.ts'
import { duration } from '../../language/format.ts'
import { policyName } from '../../language/names.ts'
import { Section } from '../../parts/page.tsx'
import { plainText } from '../../parts/plain-text.ts'
import { DivergenceBox } from './divergence-box.tsx'
import { executionTexts } from './texts.ts'

/** What went wrong with it, or late, and what to do about it. */
export function Outcome({ execution }: { readonly execution: ExecutionDetailView }) {
  const { error, divergence, misfire } = execution
  return (
    <>
      {divergence !== null && divergence !== undefined && <DivergenceBox divergence={divergence as Divergence} />}
      {error && !divergence && <ErrorBox execution={execution} error={error} />}
      {misfire !== null && misfire !== undefined && <MisfireBox misfire={misfire as MisfireInfo} />}
    </>
  )
}

type Failed = NonNullable<ExecutionDetailView['error']>

function ErrorBox({ execution, error }: { readonly execution: ExecutionDetailView; readonly error: Failed }) {
  const texts = executionTexts.value
  const action = execution.recommendedAction
  return (
    <Section title={texts.error}>
      <div class="execution-error">
        <p>
          <strong>{error.name}</strong>
          {error.code !== undefined && (
            <>
              {' '}
              · {texts.code} <code>{error.code}</code>
            </>
          )}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
        <pre tabIndex={0} role="region" aria-label={texts.error}>
          {plainText(error.message)}
        </pre>
        {action !== null && (
          <p>
            <strong>{texts.action}:</strong> {action}
          </p>
        )}
      </div>
    </Section>
  )
}

/** Each has a run of its own. */
const EACH: readonly string[] = ['fireAll', 'ignore']

function MisfireBox({ misfire }: { readonly misfire: MisfireInfo }) {
  const texts = executionTexts.value.misfire
  const { missedCount, policy, cause, delayMs } = misfire
  const missed =
    missedCount <= 1 ? texts.one : EACH.includes(policy) ? texts.each(missedCount) : texts.together(missedCount)
  return (
    <Section title={texts.title}>
      <p>
        {texts.late(duration(delayMs), texts.causes[cause])} {missed} {texts.policy(policyName(policy))}
      </p>
    </Section>
  )
}
