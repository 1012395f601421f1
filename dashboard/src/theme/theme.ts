import { effect, signal } from '@preact/signals'
import { keep, kept } from '../frame/kept.ts'

export type Theme = 'system' | 'light' | 'dark'

export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

function initial(): Theme {
  const chosen = kept('theme')
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export const theme = signal<Theme>(initial())

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme.value
})

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  keep('theme', chosen === 'system' ? null : chosen)
}
