import { useSearchParams } from 'wouter-preact'

type Values = Readonly<Record<string, string | null | undefined>>

/** What of a page is kept in its address, so that it can be shared and gone back to; empty values are left out. */
export function useUrlState(): [URLSearchParams, (values: Values, options?: { readonly isStep?: boolean }) => void] {
  const [parameters, setParameters] = useSearchParams()
  const set = (values: Values, { isStep = false } = {}) => {
    setParameters(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === undefined || value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: !isStep },
    )
  }
  return [parameters, set]
}
