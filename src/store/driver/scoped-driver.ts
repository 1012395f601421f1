import type { Driver } from './driver.ts'

/** What a driver does for one tenant: all that it sends goes through the two; the rest is that of the driver itself, which nobody closes from here. */
export function scopedDriver(driver: Driver, sending: Pick<Driver, 'query' | 'transaction'>): Driver {
  return {
    kind: driver.kind,
    ...sending,
    script: (text) => sending.transaction((transaction) => transaction.script(text)),
    listen: (channel, onMessage) => driver.listen(channel, onMessage),
    forTenant: (tenant) => driver.forTenant(tenant),
    close: () => Promise.resolve(),
  }
}
