import { reasonOf } from '../../store/driver/pg-errors.ts'
import { fail, type Judgement } from './judgement.ts'

/** What is to be said of a check, under its name. */
export interface Finding extends Judgement {
  readonly check: string
}

/** Makes a check. One that cannot be made has failed: nobody knows what it would have found. */
export async function find(check: string, judge: () => Judgement | Promise<Judgement>): Promise<Finding> {
  try {
    return { check, ...(await judge()) }
  } catch (error) {
    const remedy = 'It needs a role that may read the tables of Pontual, on a server that answers.'
    return { check, ...fail(`It could not be checked: ${reasonOf(error)}.`, remedy) }
  }
}
