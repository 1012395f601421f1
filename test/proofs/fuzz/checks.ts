import { apiChecks } from './api/api.ts'
import type { Check } from './check.ts'
import { codecChecks } from './codec.ts'
import { cronChecks } from './cron.ts'
import { misfireChecks } from './misfire.ts'
import { configurationChecks } from './readers/configuration.ts'
import { headerValueChecks } from './readers/header-values.ts'
import { spokenValueChecks } from './readers/spoken-values.ts'
import { writtenTextChecks } from './readers/written-texts.ts'
import { timeJsonChecks } from './time-json.ts'

/** Everything that is fuzzed. */
export const CHECKS: readonly Check[] = [
  ...cronChecks,
  ...timeJsonChecks,
  ...codecChecks,
  ...misfireChecks,
  ...spokenValueChecks,
  ...headerValueChecks,
  ...writtenTextChecks,
  ...configurationChecks,
  ...apiChecks,
]
