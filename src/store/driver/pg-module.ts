import { PontualError } from '../../errors.ts'

export type Pg = typeof import('pg')

/** `pg` is an optional dependency: who keeps everything in memory does not need it. */
export async function loadPg(): Promise<Pg> {
  try {
    return await import('pg')
  } catch (cause) {
    const message = 'PostgreSQL needs the package "pg", which could not be loaded. Install it: npm install pg'
    throw new PontualError('store.driver_missing', message, { package: 'pg' }, { cause })
  }
}
