import type { ComponentChildren } from 'preact'
import { Problem } from '../api/problem.ts'
import { frameTexts } from '../frame/texts.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface Query<Answer> {
  readonly data: Answer | undefined
  readonly error: Error | null
  readonly isPending: boolean
  readonly refetch: () => unknown
}

interface AnswerProps<Answer> {
  readonly query: Query<Answer>
  readonly children: (answer: Answer) => ComponentChildren
  /** How many lines are kept free while it is waited for. */
  readonly lines?: number
}

/** What was asked for: while it is waited for, when it is there, and when it cannot be had. What is there stays while it is asked for again. */
export function Answer<Value>({ query, children, lines = 4 }: AnswerProps<Value>) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <ProblemBox error={query.error} onRetry={() => void query.refetch()} />
  return <Skeleton lines={lines} />
}

export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="skeleton" role="status" aria-label={frameTexts.value.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  )
}

export function ProblemBox({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const texts = frameTexts.value
  const isProblem = error instanceof Problem
  const message = isProblem && error.status === 0 ? texts.unreachable : error.message
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <p>{message}</p>
        {isProblem && error.traceId !== null && error.status >= 500 && (
          <p class="muted small">
            {texts.trace} <code>{error.traceId}</code>
          </p>
        )}
      </div>
      {onRetry && (
        <Button icon="retry" isSmall onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  )
}

/** Nothing to be seen, and what to do about it. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <Icon name={icon} size={32} />
      <p>{title}</p>
      {children}
    </div>
  )
}
