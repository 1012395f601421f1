import { tell } from '../frame/notices.ts'
import { frameTexts } from '../frame/texts.ts'
import { Button } from './button.tsx'

/** Data as text that can be read and copied. */
export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = value === undefined ? '' : JSON.stringify(value, null, 2)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    tell('good', frameTexts.value.copied)
  }
  return (
    <div class="json">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <Button isSmall tone="quiet" icon="copy" label={frameTexts.value.copy} onClick={() => void copy()} />
    </div>
  )
}
