import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { tell } from './notices.ts'
import type { PaletteProps } from './palette/palette.tsx'
import { frameTexts } from './texts.ts'

/** Goes anywhere from the keyboard. Fetched when it is first opened: nobody waits for it to see a page. */
export function CommandPalette({ onClose }: PaletteProps) {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>()
  useEffect(() => {
    import('./palette/palette.tsx').then(
      (loaded) => setPalette(() => loaded.Palette),
      () => {
        tell('bad', frameTexts.value.outdated)
        onClose()
      },
    )
  }, [onClose])
  return Palette ? <Palette onClose={onClose} /> : null
}
