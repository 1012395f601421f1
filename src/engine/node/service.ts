/** A part of the engine. Once stopped it has nothing under way. */
export interface Service {
  start(): void
  stop(): Promise<void>
}
