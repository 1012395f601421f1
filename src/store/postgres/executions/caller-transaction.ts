import { InvalidInputError, quote } from '../../../errors.ts'
import type { Queryable } from '../../driver/driver.ts'
import type { SchemaName } from '../../driver/schema-name.ts'
import type { TransactionClient } from '../../executions.ts'

/** Sends statements through a caller's own transaction. */
export function inTransaction(client: TransactionClient, schema: SchemaName): Queryable {
  if (typeof client?.query !== 'function') {
    throw new InvalidInputError(
      'option.invalid',
      `transaction must have a function query(text, values), such as a client of pg or a transaction of PGlite, got ${quote(client)}.`,
      { name: 'transaction' },
    )
  }
  return {
    async query<Row>({ text }: { readonly text: string }, values: readonly unknown[] = []) {
      const answer: unknown = await client.query(schema.compose(text), [...values])
      return rowsOf(answer) as Row[]
    },
  }
}

/** Fails outside a transaction, whatever the client is, and changes nothing inside one. A savepoint would have to be released again. */
const IN_TRANSACTION_ONLY = 'lock table only pontual.settings in access share mode'

const NO_TRANSACTION = '25P01'
const DEEPEST_CAUSE = 5

/**
 * Refuses a client that is in no transaction, such as a pool: what it stores would survive a rollback. A client of `pg` knows its state without a round trip;
 * any other is asked by a statement.
 */
export async function requireTransaction(
  client: TransactionClient & Partial<StatefulClient>,
  schema: SchemaName,
): Promise<void> {
  if (typeof client?.query !== 'function') return
  if (typeof client.getTransactionStatus === 'function' && client.getTransactionStatus() === 'T') return
  try {
    await client.query(schema.compose(IN_TRANSACTION_ONLY), [])
  } catch (error) {
    if (!isOutside(error)) throw error
    throw new InvalidInputError(
      'option.invalid',
      'transaction must be a client inside a transaction, and this one is in none: what is enqueued would survive a rollback. A pool is no transaction; take one client of it and send "begin" first.',
      { name: 'transaction' },
      { cause: error },
    )
  }
}

interface StatefulClient {
  /** `T` inside a transaction. */
  getTransactionStatus(): unknown
}

/** Where libraries keep the error of the driver: most of them, Sequelize, and Prisma. */
const INNER = ['cause', 'parent', 'meta'] as const

function isOutside(error: unknown): boolean {
  let each = error as Readonly<Record<string, unknown>> | null | undefined
  for (let depth = 0; depth < DEEPEST_CAUSE && typeof each === 'object' && each !== null; depth += 1) {
    if (each['code'] === NO_TRANSACTION) return true
    const outer = each
    each = INNER.map((key) => outer[key] as typeof each).find((inner) => inner !== undefined)
  }
  return false
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
