import { describe, expect, it } from 'vitest'
import type { WorkersView } from '../../api/wire.ts'
import { type QueueRow, queuesOf } from './queues.ts'

function node(name: string, queues: string[], isAlive = true): WorkersView['nodes'][number] {
  const at = '2026-01-01T00:00:00Z'
  return { id: name, name, connections: null, slots: 10, running: 0, queues, isAlive, startedAt: at, renewedAt: at }
}

describe('queues', () => {
  it.each<[string, WorkersView['nodes'], WorkersView['queues'], QueueRow[]]>([
    ['are none where nobody serves or waits', [], [], []],
    ['are shown while empty', [node('a', ['default'])], [], [{ queue: 'default', queued: 0, servers: 1 }]],
    [
      'stand in the order of how many wait',
      [node('a', ['x', 'y']), node('b', ['y'])],
      [
        { queue: 'x', queued: 1 },
        { queue: 'y', queued: 5 },
      ],
      [
        { queue: 'y', queued: 5, servers: 2 },
        { queue: 'x', queued: 1, servers: 1 },
      ],
    ],
    [
      'that nobody alive serves stand first',
      [node('a', ['x']), node('dead', ['mail'], false)],
      [
        { queue: 'x', queued: 9 },
        { queue: 'mail', queued: 1 },
      ],
      [
        { queue: 'mail', queued: 1, servers: 0 },
        { queue: 'x', queued: 9, servers: 1 },
      ],
    ],
  ])('%s', (_name, nodes, queues, expected) => {
    expect(queuesOf({ nodes, queues })).toEqual(expected)
  })
})
