import { type DirectoryUser, type Invoice, type OldRecord, oldRecords } from './made-up-data.ts'

/** What the demo's company keeps of its own; gone with the process. */
export class Company {
  /** By number: to import one twice changes nothing. */
  readonly invoices = new Map<string, Invoice>()
  readonly users = new Map<string, DirectoryUser>()
  /** What was looked up once, and until when it counts. */
  readonly cache = new Map<string, { readonly bytes: number; readonly expiresAt: number }>()
  /** Numbers of invoices by order. */
  readonly issued = new Map<string, string>()
  readonly records = new Map<number, OldRecord>(oldRecords().map((record) => [record.id, record]))
}
