import { type BatchRules, batchOf, outputsOf } from '../../job/type/batch.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import { inBatchSpan, type TraceContext, traceOf } from '../telemetry/tracing.ts'
import type { AttemptContext, Handler } from './attempt-context.ts'
import { runAsNobody } from './current-execution.ts'

/** The part that one attempt has in a call. */
export interface BatchMember {
  readonly handler: Handler
  /** How the attempt went is decided, whether or not its handler was called. */
  readonly leave: () => void
}

/** The calls of batch handlers for what was claimed together. */
export class BatchCalls {
  readonly #calls: BatchCall[] = []

  /** The next place in a call of its job type and tenant; null where its job type takes one input at a time. */
  member(type: AnyJobType, { body: { jobType, tenant } }: ClaimedExecution): BatchMember | null {
    const rules = batchOf(type)
    if (!rules) return null
    let call = this.#calls.findLast((each) => each.jobType === jobType && each.tenant === tenant)
    if (!call || call.size === rules.size) {
      call = new BatchCall(jobType, tenant, rules)
      this.#calls.push(call)
    }
    return call.addMember()
  }

  /** Nobody else comes: each call is made once it has heard of all its members. */
  seal(): void {
    for (const call of this.#calls) call.seal()
  }
}

/** Of a member that has called its handler. */
interface Part {
  readonly input: unknown
  readonly context: AttemptContext
  readonly sender: TraceContext
  readonly resolve: (output: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Member {
  part: Part | null
  hasLeft: boolean
}

/** One call of a batch handler. It is made once every member has either joined, or left without. */
class BatchCall {
  readonly jobType: string
  readonly tenant: string
  readonly #rules: BatchRules
  readonly #members: Member[] = []
  /** Of whom it has not heard yet; and, to begin with, whether there are more. */
  #awaited = 1
  /** Those who have joined and not left. */
  #present = 0

  constructor(jobType: string, tenant: string, rules: BatchRules) {
    this.jobType = jobType
    this.tenant = tenant
    this.#rules = rules
  }

  get size(): number {
    return this.#members.length
  }

  addMember(): BatchMember {
    const member: Member = { part: null, hasLeft: false }
    this.#members.push(member)
    this.#awaited += 1
    return {
      handler: (input, context, { body }) => this.#join(member, { input, context, sender: traceOf(body.options) }),
      leave: () => this.#leave(member),
    }
  }

  seal(): void {
    this.#heard()
  }

  #join(member: Member, given: Pick<Part, 'input' | 'context' | 'sender'>): Promise<unknown> {
    // Its attempt was over before the handler was called.
    if (member.hasLeft) return Promise.reject(given.context.signal.reason as Error)
    return new Promise((resolve, reject) => {
      member.part = { ...given, resolve, reject }
      this.#present += 1
      this.#heard()
    })
  }

  #leave(member: Member): void {
    member.hasLeft = true
    if (!member.part) {
      this.#heard()
      return
    }
    this.#present -= 1
    // Nothing is done for it alone: it is not kept waiting, as if its handler ignored the signal.
    if (this.#present > 0 || this.#awaited > 0) dismiss(member.part)
  }

  #heard(): void {
    this.#awaited -= 1
    if (this.#awaited === 0) void this.#make()
  }

  async #make(): Promise<void> {
    const { jobType, tenant } = this
    const parts: Part[] = []
    for (const { part, hasLeft } of this.#members) {
      if (!part) continue
      // Nothing is begun for who is told to stop.
      if (hasLeft || part.context.signal.aborted) dismiss(part)
      else parts.push(part)
    }
    if (parts.length === 0) return
    const contexts = parts.map(({ context }) => context)
    const inputs = parts.map(({ input }) => input)
    const signal = signalOfAll(contexts)
    const senders = parts.map(({ sender }) => sender)
    const call = async () => await this.#rules.run(inputs, { jobType, tenant, contexts, signal })
    try {
      const returned: unknown = await runAsNobody(() => inBatchSpan(jobType, senders, call))
      const outputs = outputsOf(returned, parts.length, jobType)
      for (const [index, part] of parts.entries()) settle(part, outputs[index])
    } catch (error) {
      for (const { reject } of parts) reject(error)
    }
  }
}

function settle({ resolve, reject }: Part, output: unknown): void {
  if (output instanceof Error) reject(output)
  // A promise is heard out, also where nobody waits for it any more.
  else void Promise.resolve(output).then(resolve, reject)
}

function dismiss({ context, reject }: Part): void {
  reject(context.signal.reason)
}

/** Aborted once all of them are. */
function signalOfAll(contexts: readonly AttemptContext[]): AbortSignal {
  const controller = new AbortController()
  let waiting = contexts.length
  for (const { signal } of contexts) {
    const onAbort = () => {
      waiting -= 1
      if (waiting === 0) controller.abort(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  }
  return controller.signal
}
