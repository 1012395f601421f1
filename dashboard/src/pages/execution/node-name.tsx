import { useAnswer } from '../../api/questions.ts'
import type { WorkersView } from '../../api/wire.ts'
import { may } from '../../session/session.ts'

/** A node by its name; one that is long gone by its id. */
export function NodeName({ id }: { readonly id: string | null }) {
  const { data } = useAnswer<WorkersView>('jobs/workers', { isAsked: id !== null && may('jobs:read'), isLive: false })
  if (id === null) return <span class="muted">–</span>
  const name = data?.nodes.find((node) => node.id === id)?.name
  return <span title={id}>{name ?? id.slice(-12)}</span>
}
