import { drawGap, drawOverlap } from './clock-changes.ts'
import { drawLayers } from './layers.ts'
import { drawPolicies, drawThreshold } from './misfires.ts'

/** The pictures of the documentation that are drawn from what the sources answer, by their names in docs/images. */
export function drawings(): ReadonlyMap<string, string> {
  return new Map([
    ['misfire-policies.svg', drawPolicies()],
    ['misfire-threshold.svg', drawThreshold()],
    ['clock-forward.svg', drawGap()],
    ['clock-back.svg', drawOverlap()],
    ['architecture.svg', drawLayers('en')],
    ['architecture-pt.svg', drawLayers('pt')],
  ])
}
