export interface RowsInView {
  readonly count: number
  readonly rowPx: number
  /** The row below which something is open; null: none. */
  readonly openAt: number | null
  readonly openPx: number
  readonly scrollTop: number
  readonly heightPx: number
}

export interface VisibleRows {
  /** The first row that is drawn, and the one behind the last. */
  readonly first: number
  readonly end: number
  /** How far down the first one begins. */
  readonly topPx: number
  readonly totalPx: number
}

/** Rows that are drawn though they are not seen, so that scrolling shows no gap. */
const SPARE = 8

/** Which rows of a long list are drawn. All are of one height, but for the one that is open. */
export function visibleRows(view: RowsInView): VisibleRows {
  const { count, scrollTop, heightPx } = view
  const first = Math.max(0, Math.min(rowAt(view, scrollTop), count) - SPARE)
  const end = Math.min(count, rowAt(view, scrollTop + heightPx) + 1 + SPARE)
  return { first, end, topPx: topOf(view, first), totalPx: topOf(view, count) }
}

/** How far down a row begins. */
function topOf({ rowPx, openAt, openPx }: Omit<RowsInView, 'scrollTop' | 'heightPx'>, row: number): number {
  return row * rowPx + (openAt !== null && row > openAt ? openPx : 0)
}

function rowAt({ rowPx, openAt, openPx }: RowsInView, px: number): number {
  const plain = Math.max(0, Math.floor(px / rowPx))
  if (openAt === null || plain <= openAt) return plain
  return Math.max(openAt, Math.floor((px - openPx) / rowPx))
}

/** Where to scroll to so that a row is seen, by as little as it takes. */
export function scrolledTo(view: RowsInView, row: number): number {
  const top = topOf(view, row)
  const bottom = top + view.rowPx
  if (top < view.scrollTop) return top
  return bottom > view.scrollTop + view.heightPx ? bottom - view.heightPx : view.scrollTop
}
