import { duration, number } from '../../language/format.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { overviewTexts } from './texts.ts'
import type { Check, Verdict } from './verdict.ts'

/** Whether all is well, in one line; what was checked stands below it. */
export function VerdictLine({ verdict, checks }: { readonly verdict: Verdict; readonly checks: readonly Check[] }) {
  const texts = overviewTexts.value
  const { tone, failing, alertCount, isSuspended } = verdict
  const causes = [
    ...failing.map(({ name, figure }) => texts.wrong[name](figure ?? 0)),
    ...(isSuspended ? [texts.suspended] : []),
    ...(alertCount > 0 ? [texts.openAlerts(alertCount)] : []),
  ]
  return (
    <section class={`verdict ${tone}`} aria-label={texts.checks}>
      <p role="status">
        <Icon name={tone === 'good' ? 'check' : 'warning'} size={26} />
        <span>
          <strong>{texts.verdict[tone]}</strong>
          {tone === 'good' ? '. ' : ': '}
          {tone === 'good' ? texts.allWell : `${causes.join('; ')}.`}
        </span>
      </p>
      <ul class="health-checks">
        {checks.map((check) => (
          <li key={check.name} class={`health-check ${check.tone}`}>
            <Icon name={check.tone === 'good' ? 'check' : 'warning'} size={14} />
            {texts.check[check.name]}: {texts.state[check.tone]}
            {figureOf(check)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function figureOf({ name, figure }: Check): string {
  if (figure === null) return ''
  return ` (${name === 'storage' ? duration(figure) : number(figure)})`
}

/** Nothing fires: nobody should have to find that out by waiting. */
export function SuspendedBanner() {
  const texts = overviewTexts.value
  return (
    <section class="overview-suspended" aria-label={texts.suspendedTitle}>
      <Icon name="pause" size={24} />
      <div>
        <strong>{texts.suspendedTitle}</strong>
        <p>{texts.suspendedText}</p>
      </div>
      <ButtonLink href="/settings?tab=flags">{texts.toFlags}</ButtonLink>
    </section>
  )
}
