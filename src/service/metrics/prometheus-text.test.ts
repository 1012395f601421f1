import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPrometheus } from '../../../test/http/service/prometheus-parser.ts'
import { gauge, gaugeBy, type MetricFamily } from './family.ts'
import { Counter, Histogram } from './process-metrics.ts'
import { prometheusText } from './prometheus-text.ts'

describe('the text', () => {
  it.each<[string, MetricFamily, string]>([
    ['of a gauge', gauge('a', 'A.', 1.5), '# HELP a A.\n# TYPE a gauge\na 1.5\n'],
    ['of a gauge without a value is empty', gauge('a', 'A.', null), ''],
    [
      'of labels',
      gaugeBy('a', 'A.', 'x', [
        ['1', 2],
        ['3', null],
      ]),
      '# HELP a A.\n# TYPE a gauge\na{x="1"} 2\n',
    ],
    ['escapes labels', gaugeBy('a', 'A.', 'x', [['"\\\n', 1]]), '# HELP a A.\n# TYPE a gauge\na{x="\\"\\\\\\n"} 1\n'],
    ['escapes help', gauge('a', 'A\\b\nc "d"', 1), '# HELP a A\\\\b\\nc "d"\n# TYPE a gauge\na 1\n'],
    ['of what is infinite', gauge('a', 'A.', Infinity), '# HELP a A.\n# TYPE a gauge\na +Inf\n'],
    [
      'of a histogram',
      { name: 'h', help: 'H.', type: 'histogram', histogram: spread([0.5, 1, 3, 9], [1, 5]) },
      '# HELP h H.\n# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="5"} 3\nh_bucket{le="+Inf"} 4\nh_sum 13.5\nh_count 4\n',
    ],
  ])('%s', (_what, family, expected) => {
    expect(prometheusText([family])).toBe(expected)
    readPrometheus(prometheusText([family]))
  })

  it('of any label is read as it was', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 1 }), fc.double(), (texts, value) => {
        const written = prometheusText([
          gaugeBy(
            'a',
            texts[0] ?? '',
            'x',
            texts.map((text) => [text, value] as const),
          ),
        ])
        const samples = readPrometheus(written).get('a')?.samples ?? []
        expect(samples.map(({ labels }) => labels['x'])).toEqual(texts)
        expect(samples.every((sample) => Object.is(sample.value, value) || sample.value === value)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a counter', () => {
  it('has so many series and no more, and counts the rest together', () => {
    const counter = new Counter(2)
    for (const type of ['a', 'b', 'a', 'c', 'd']) counter.add({ type })
    expect(counter.samples()).toEqual([
      { labels: { type: 'a' }, value: 2 },
      { labels: { type: 'b' }, value: 1 },
      { labels: { type: '(other)' }, value: 2 },
    ])
  })
})

function spread(values: readonly number[], bounds: readonly number[]) {
  const histogram = new Histogram(bounds)
  for (const value of values) histogram.record(value)
  return histogram.snapshot()
}
