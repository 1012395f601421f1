import { agendaTexts } from './texts.ts'

/** What the colours mean; the numbers stand in the cells. */
export function Legend() {
  const texts = agendaTexts.value
  return (
    <p class="load-legend small muted">
      {texts.less}
      {[0, 1, 2, 3, 4, 5].map((level) => (
        <span key={level} class={`load-legend-cell load-${level}`} aria-hidden="true" />
      ))}
      {texts.moreLoad}
    </p>
  )
}
