import type { StoreSource } from '../../../src/store/store.ts'

/** The same store, which tells how long each claim took. */
export function timedStore(source: StoreSource, onClaim: (ms: number) => void): StoreSource {
  return {
    kind: source.kind,
    open: async (surroundings) => {
      const store = await source.open(surroundings)
      const { leases } = store
      return {
        ...store,
        leases: {
          ...leases,
          claim: async (request) => {
            const startedAt = performance.now()
            const answer = await leases.claim(request)
            onClaim(performance.now() - startedAt)
            return answer
          },
        },
      }
    },
  }
}
