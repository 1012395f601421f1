import type { News, Order } from '../messages.ts'

/** The way from an isolate to its node. */
export interface NodePort {
  send(news: News): void
  hear(listener: (order: Order) => void): void
  /** Marks both streams: what a run has printed is complete. */
  endOutput(): void
  /** Sends the last news, if there are any, and ends the isolate. */
  leave(exitCode: number, news?: News): void
}
