// Whoever exports what a function of ours returns needs to be able to name its type in a declaration file.

import { type JobContext, job, memory, pontual } from 'pontual'
import { pglite } from 'pontual/pglite'
import { postgres } from 'pontual/postgres'
import { testPontual } from 'pontual/testing'
import * as time from 'pontual/time'

export const trigger = time.simple({ startAt: 0, interval: '5m' })
export const once = time.once(0)
export const monthly = time.calendarInterval({ startAt: 0, every: 1, unit: 'month' })
export const daily = time.dailyTimeInterval({ every: 1, unit: 'hour' })
export const spread = time.withJitter(time.cron('@hourly'), { within: '5m', identity: 'a' })
export const weekend = time.weeklyCalendar({ base: time.holidayCalendar({ dates: [] }) })
export const years = [time.annualCalendar({ days: [] }), time.monthlyCalendar({ days: [] })]
export const hours = [time.dailyCalendar({ from: '08:00', to: '09:00' }), time.cronCalendar('* 0-7 * * *')]
export const greet = job('greet', { run: ({ name }: { name: string }, { signal }: JobContext) => [name, signal] })
export const app = pontual({ store: memory(), jobs: [greet] })
export const asked = () => app.enqueue(greet, { name: 'Ada' }, { delay: '5m', priority: 'HIGH' })
export const stores = [pglite(), postgres('postgres://localhost/test')]
export const test = () => testPontual({ jobs: [greet] })
export const resolve = (now: number) =>
  time.resolveMisfires({ state: time.initialState(trigger, now, weekend), rules: time.misfireRules() }, now)
