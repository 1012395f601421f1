import { fileURLToPath } from 'node:url'
import { bundled } from '../torture/bundled.ts'
import { NodeInProcess } from '../torture/node-in-process.ts'
import type { EffectNodeOptions } from './effect-node.ts'

const PROGRAM = await bundled(fileURLToPath(new URL('./effect-node-process.ts', import.meta.url)))

/** A node in a process of its own, whose handlers tell of themselves in a file. */
export class EffectProcess extends NodeInProcess {
  constructor(options: EffectNodeOptions) {
    super(options, PROGRAM)
  }

  /** Resolves to the node once it works. */
  static async start(options: EffectNodeOptions): Promise<EffectProcess> {
    const node = new EffectProcess(options)
    await node.until((each) => each.of('ready').length > 0)
    return node
  }

  /** As the store knows it now; another one where it was lost and came back. */
  get nodeId(): string {
    return this.of('node.started').at(-1)?.nodeId ?? ''
  }
}
