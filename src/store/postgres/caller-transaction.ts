import { InvalidInputError, quote } from '../../errors.ts'
import type { Queryable } from '../driver/driver.ts'
import type { TransactionClient } from '../executions.ts'

/** Sends statements through a caller's own transaction. */
export function inTransaction(client: TransactionClient): Queryable {
  if (typeof client?.query !== 'function') {
    throw new InvalidInputError(
      'option.invalid',
      `transaction must have a function query(text, values), such as a client of pg or a transaction of PGlite, got ${quote(client)}.`,
      { name: 'transaction' },
    )
  }
  return {
    async query<Row>({ text }: { readonly text: string }, values: readonly unknown[] = []) {
      const answer: unknown = await client.query(text, [...values])
      return rowsOf(answer) as Row[]
    },
  }
}

function rowsOf(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer
  const rows: unknown = (answer as { readonly rows?: unknown } | null)?.rows
  if (Array.isArray(rows)) return rows
  throw new InvalidInputError(
    'option.invalid',
    'transaction.query(text, values) must answer with rows, or with an object that has them as "rows".',
    { name: 'transaction' },
  )
}
