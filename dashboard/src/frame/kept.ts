/** What this browser keeps of somebody's choices; nothing, where it keeps nothing. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`pontual.${name}`)
  } catch {
    return null
  }
}

export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`pontual.${name}`)
    else localStorage.setItem(`pontual.${name}`, value)
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
