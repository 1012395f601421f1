import { tell } from '../frame/notices.ts'
import { frameTexts } from '../frame/texts.ts'
import { Button } from './button.tsx'

/** Something that is shown once, to be copied. */
export function Secret({ text }: { readonly text: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    tell('good', frameTexts.value.copied)
  }
  return (
    <div class="secret">
      <code>{text}</code>
      <Button isSmall icon="copy" label={frameTexts.value.copy} onClick={() => void copy()} />
    </div>
  )
}
