import { NonRetryableError } from '../job/execution/failure.ts'
import { InvalidPayloadError } from '../job/type/standard-schema.ts'
import { UnstorableValueError } from './codec.ts'
import { MisplacedCallError } from './errors.ts'

/** Whether another attempt would end the same, whatever the rules say. */
export function isHopeless(error: Error): boolean {
  return (
    error instanceof NonRetryableError ||
    error instanceof InvalidPayloadError ||
    error instanceof UnstorableValueError ||
    error instanceof MisplacedCallError
  )
}
