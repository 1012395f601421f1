/** Says what has to be done in the end, whatever happens. */
export type AtTheEnd = (close: () => Promise<unknown> | undefined) => void

/** Does something and closes what was opened for it, the last first, whatever happens. What `await using` does, which the oldest Node that is supported does not read. */
export async function closing<Result>(work: (atTheEnd: AtTheEnd) => Promise<Result>): Promise<Result> {
  const closers: (() => Promise<unknown> | undefined)[] = []
  try {
    return await work((close) => closers.push(close))
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}
