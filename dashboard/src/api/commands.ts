import { useMutation } from '@tanstack/preact-query'
import { tell } from '../frame/notices.ts'
import { refreshAnswers } from './questions.ts'

interface CommandOptions<Given, Answer> {
  readonly run: (given: Given) => Promise<Answer>
  /** What is said when it is done; absent or null: nothing. */
  readonly done?: string | ((answer: Answer, given: Given) => string | null) | undefined
  readonly onDone?: ((answer: Answer, given: Given) => void) | undefined
  /** Problems are shown by whoever calls, not as a notice. */
  readonly showsProblems?: boolean
}

/** Something that changes the world: says how it went, and has the page ask again. */
export function useCommand<Given = void, Answer = unknown>(options: CommandOptions<Given, Answer>) {
  const { run, done, onDone, showsProblems = false } = options
  return useMutation<Answer, Error, Given>({
    mutationFn: run,
    onSuccess: (answer, given) => {
      const text = typeof done === 'function' ? done(answer, given) : (done ?? null)
      if (text !== null) tell('good', text)
      void refreshAnswers()
      onDone?.(answer, given)
    },
    onError: (problem) => {
      if (!showsProblems) tell('bad', problem.message)
    },
  })
}
