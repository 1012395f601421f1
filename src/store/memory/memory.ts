import type { StoreSource } from '../store.ts'
import { Tables, type Turn } from './schema/tables.ts'
import { openStore } from './store.ts'

export interface MemoryOptions {
  /** Stands before every statement. Default: whatever else is ready to run goes first. */
  readonly turn?: Turn | undefined
}

/**
 * A store in the memory of this process. The data belong to what this gives, not to who opens it: opened by several nodes, or again after
 * a restart, it is the same.
 */
export function memory({ turn = () => Promise.resolve() }: MemoryOptions = {}): StoreSource {
  const tables = new Tables(turn)
  return {
    kind: 'memory',
    open: (surroundings) => Promise.resolve(openStore(tables, surroundings)),
  }
}
