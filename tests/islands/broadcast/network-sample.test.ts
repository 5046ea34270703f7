import { expect, test } from 'vitest'
import { readCounters } from '#islands/broadcast/network-sample.ts'

test.each([
  [
    'its candidate pairs',
    [{ type: 'candidate-pair', nominated: true, bytesReceived: 700 }, { type: 'transport' }],
    700,
  ],
  ['what came of media', [{ type: 'candidate-pair', nominated: true }, { type: 'transport' }], 500],
  [
    'the transport before all',
    [
      { type: 'candidate-pair', nominated: true, bytesReceived: 700 },
      { type: 'transport', bytesReceived: 0 },
    ],
    0,
  ],
])('detects a live connection by %s', (_, more, bytes) => {
  const all = [{ type: 'inbound-rtp', bytesReceived: 500 }, { type: 'candidate-pair', bytesReceived: 9 }, ...more]
  const report = new Map<string, object>(all.map((stats, nth) => [String(nth), stats]))
  expect(readCounters(report as RTCStatsReport, 1000).transport).toBe(bytes)
})
