import { Button } from '../parts/button.tsx'
import { closeNotice, notices } from './notices.ts'
import { frameTexts } from './texts.ts'

/** What was just said, read out as it comes. */
export function NoticeList() {
  return (
    <section class="notices" aria-label={frameTexts.value.notices} aria-live="polite">
      {notices.value.map(({ id, tone, text }) => (
        <div key={id} class={`notice ${tone}`}>
          <p>{text}</p>
          <Button isSmall tone="quiet" icon="close" label={frameTexts.value.close} onClick={() => closeNotice(id)} />
        </div>
      ))}
    </section>
  )
}
