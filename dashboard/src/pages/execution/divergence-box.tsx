import type { CalledAs, Divergence } from '../../api/wire.ts'
import { Section } from '../../parts/page.tsx'
import { stepTexts } from './step-texts.ts'
import { executionTexts } from './texts.ts'

/** Both sides of a difference between the code and what it did before. */
export function DivergenceBox({ divergence }: { readonly divergence: Divergence }) {
  const texts = executionTexts.value.divergence
  return (
    <Section title={texts.title}>
      {divergence.reason === 'mismatch' ? (
        <>
          <p>{texts.at(divergence.sequence)}</p>
          <dl class="divergence">
            <Side name={texts.recorded} called={divergence.recorded} />
            <Side name={texts.called} called={divergence.called} />
          </dl>
          <p>{texts.mismatch}</p>
        </>
      ) : (
        <p>{texts.noProgress(divergence.attempts)}</p>
      )}
    </Section>
  )
}

function Side({ name, called }: { readonly name: string; readonly called: CalledAs | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {called === null ? (
          <em>{executionTexts.value.divergence.nothing}</em>
        ) : (
          <>
            {stepTexts.value.waterfall.kinds[called.kind]} <code>{called.name}</code>
          </>
        )}
      </dd>
    </div>
  )
}
