import { useLocation } from 'wouter-preact'
import type { ExecuteAnswer } from '../../api/wire.ts'
import { tell } from '../../frame/notices.ts'

/** An execution that was made, with what there is to know about it in the language of the page. */
export interface MadeAnswer extends ExecuteAnswer {
  readonly message: string | null
}

/** Goes to an execution that was just made, and says what is to be known about it. */
export function useGoToMade(): (made: MadeAnswer, done: string) => void {
  const [, go] = useLocation()
  return ({ executionId, message }, done) => {
    tell('good', done)
    if (message !== null) tell('info', message)
    go(`/executions/${executionId}`)
  }
}
