import { frameTexts } from '../frame/texts.ts'
import { Button } from './button.tsx'

interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => unknown
}

/** Fetches the next page of a list. */
export function More({ pages }: { readonly pages: Pages }) {
  if (!pages.hasNextPage) return null
  return (
    <div class="more">
      <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {frameTexts.value.more}
      </Button>
    </div>
  )
}
