import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNackGenerator } from '#lib/core/broadcast/sfu/nack-generator.ts'
import { createReceptionStatistics } from '#lib/core/broadcast/sfu/reception-statistics.ts'
import {
  createNack,
  createPli,
  createReceiverReport,
  createRemb,
  createSenderReport,
  isKeyframeRequest,
  isRtcp,
  nackedSequences,
  readRtcpPackets,
  readSenderReport,
  removeHeaderExtension,
  sequenceDistance,
  sequenceOf,
  ssrcOf,
  timestampOf,
} from '#lib/core/broadcast/sfu/rtp.ts'
import {
  createRewriter,
  originalSequence,
  type RewriterState,
  readPacketHeader,
  rewriteHeader,
} from '#lib/core/broadcast/sfu/stream-rewriter.ts'

const number = fc.integer({ min: 0, max: 0xffff })

function packet(sequence: number, time = 0, body = 'abc'): Buffer {
  const head = Buffer.from([0x80, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9])
  head.writeUInt16BE(sequence & 0xffff, 2)
  head.writeUInt32BE(time >>> 0, 4)
  return Buffer.concat([head, Buffer.from(body)])
}

describe('RTP', () => {
  test('sequence numbers wrap around', () => {
    expect(sequenceDistance(1, 65_535)).toBe(2)
    expect(sequenceDistance(65_535, 1)).toBe(-2)
    fc.assert(
      fc.property(
        number,
        fc.integer({ min: -32_000, max: 32_000 }),
        (from, by) => sequenceDistance((from + by) & 0xffff, from) === by,
      ),
    )
  })

  test('loses its header extension and nothing else', () => {
    const plain = packet(7, 9, 'payload')
    expect(removeHeaderExtension(plain)).toBe(plain)
    const sources = Buffer.from([0, 0, 0, 1])
    const extension = Buffer.from([0xbe, 0xde, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8])
    const extended = Buffer.concat([plain.subarray(0, 12), sources, extension, plain.subarray(12)])
    extended[0] = 0x80 | 0x10 | 1
    const bare = removeHeaderExtension(extended)
    expect(bare.subarray(16).toString()).toBe('payload')
    expect(bare[0]).toBe(0x81)
    expect(sequenceOf(bare)).toBe(7)
    expect(removeHeaderExtension(extended.subarray(0, 18))).toHaveLength(18)
    expect(removeHeaderExtension(extended.subarray(0, 22))).toHaveLength(22)
  })

  test('is distinguished from RTCP on the same port', () => {
    expect(isRtcp(packet(1))).toBe(false)
    expect(
      [createNack(1, 2, [3]), createPli(1, 2), createSenderReport(1, 0, 0, { packets: 0, octets: 0 })].every(isRtcp),
    ).toBe(true)
  })
})

describe('RTCP', () => {
  test('NACK requests exactly the missing sequence numbers', () => {
    const circles = fc.tuple(number, fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 60 }))
    fc.assert(
      fc.property(circles, ([from, steps]) => {
        const expected = steps.toSorted((a, b) => a - b).map((step) => (from + step) & 0xffff)
        const [control, ...more] = readRtcpPackets(createNack(1, 2, expected))
        expect(more).toEqual([])
        expect(control && nackedSequences(control)).toEqual(expected)
      }),
    )
  })

  test('is read from compound packets up to a truncated one', () => {
    const compound = Buffer.concat([
      createSenderReport(5, 1000, 77, { packets: 1, octets: 2 }),
      createPli(1, 2),
      createNack(1, 2, [4]),
    ])
    const controls = readRtcpPackets(compound)
    expect(controls.map(({ type, format }) => [type, format])).toEqual([
      [200, 0],
      [206, 1],
      [205, 1],
    ])
    expect(controls.map(isKeyframeRequest)).toEqual([false, true, false])
    expect(readRtcpPackets(compound.subarray(0, compound.length - 2))).toHaveLength(2)
    expect(readRtcpPackets(Buffer.from([0x80, 200, 0xff, 0xff]))).toEqual([])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const control of readRtcpPackets(Buffer.from(bytes))) {
          nackedSequences(control)
          readSenderReport(control)
        }
      }),
    )
  })

  test('sender reports carry the clock to the millisecond', () => {
    const now = Date.UTC(2026, 10, 21, 12, 30, 15, 250)
    const report = createSenderReport(0xfffffff0, now, 2 ** 32 + 5, { packets: 3, octets: 2 ** 32 + 1 })
    const [control] = readRtcpPackets(report)
    const clock = control && readSenderReport(control)
    expect(clock?.ntpMs).toBeCloseTo(now, 1)
    expect(clock?.rtpTime).toBe(5)
    expect(clock?.ntpMiddle).toBe(report.readUInt32BE(10))
    expect(report.readUInt32BE(24)).toBe(1)
  })

  test('REMB encodes a bitrate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (bits) => {
        const word = createRemb(1, 2, bits).readUInt32BE(16)
        const read = (word & 0x3ffff) * 2 ** ((word >> 18) & 63)
        expect(word >>> 24).toBe(1)
        expect(read).toBeLessThanOrEqual(bits)
        expect(read).toBeGreaterThan(bits * 0.999 - 1)
      }),
    )
  })

  test('receiver reports carry loss and jitter', () => {
    const reception = createReceptionStatistics(90_000)
    for (const at of [0, 1, 2, 3, 5, 6, 7, 9]) reception.recordPacket(packet(65_530 + at, at * 3000), (at * 1000) / 30)
    reception.recordSenderReport({ ssrc: 1, ntpMs: 0, rtpTime: 0, ntpMiddle: 0xabcdef }, 1000)
    const first = reception.createReportBlock(1500)
    expect(first).toMatchObject({
      fractionLost: 0.2,
      cumulativeLost: 2,
      highestSequence: 65_539,
      lastSenderReport: 0xabcdef,
      sinceSenderReportMs: 500,
    })
    expect(first.jitter).toBeLessThan(1)
    reception.recordPacket(packet(65_534, 12_000), 600)
    expect(reception.createReportBlock(2000)).toMatchObject({ fractionLost: 0, cumulativeLost: 1 })
    const report = createReceiverReport(1, 2, first)
    expect([report[12], report.readIntBE(13, 3), report.readUInt32BE(16)]).toEqual([51, 2, 65_539])
    expect(report.readUInt32BE(28)).toBe(32_768)
    expect(createReceiverReport(1, 2, { ...first, lastSenderReport: 0, cumulativeLost: -3 }).readIntBE(13, 3)).toBe(-3)
  })
})

describe('a missing packet', () => {
  test('is requested at once, then at each interval, and given up after eight requests', () => {
    const missing = createNackGenerator()
    expect(missing.recordPacket(65_533)).toEqual({ isNewest: true, missing: [] })
    expect(missing.recordPacket(1)).toEqual({ isNewest: true, missing: [65_534, 65_535, 0] })
    expect(missing.recordPacket(65_535)).toEqual({ isNewest: false, missing: [] })
    for (let turn = 0; turn < 7; turn++)
      expect(missing.collectRetries()).toEqual({ sequences: [65_534, 0], hasGivenUp: false })
    expect(missing.collectRetries()).toEqual({ sequences: [], hasGivenUp: true })
    expect(missing.collectRetries()).toEqual({ sequences: [], hasGivenUp: false })
    expect([missing.lost, missing.recovered]).toEqual([2, 1])
  })

  test('is not assumed when the source restarted', () => {
    const missing = createNackGenerator()
    missing.recordPacket(10)
    missing.recordPacket(12)
    expect(missing.recordPacket(5000)).toEqual({ isNewest: true, missing: [] })
    expect(missing.collectRetries().sequences).toEqual([])
  })
})

describe('the RTP rewriter', () => {
  test('continues without a gap from one publisher to the next', () => {
    const line = createRewriter(0xdeadbeef, 111, 90_000)
    const seen = sent(line, [packet(100, 5000), packet(101, 8000)], 1000)
    expect(seen.map(({ sequence, time }) => [sequence, time])).toEqual([
      [100, 5000],
      [101, 8000],
    ])
    line.needsRebase = true
    const next = sent(line, [packet(65_535, 4_000_000_000), packet(65_536, 4_000_003_000)], 3000)
    expect(next.map(({ sequence }) => sequence)).toEqual([102, 103])
    expect(next.map(({ time }) => time)).toEqual([8000 + 180_000, 8000 + 183_000])
    expect(originalSequence(line, 103)).toBe(0)
    expect(next.every(({ source, payload }) => source === 0xdeadbeef && payload === 111)).toBe(true)
  })

  test('keeps the newest packet when a retransmission arrives', () => {
    const line = createRewriter(1, 96, 90_000)
    sent(line, [packet(10, 100), packet(12, 300), packet(11, 200)], 0)
    expect(line.newest).toMatchObject({ sequence: 12, timestamp: 300 })
    expect([line.packets, line.octets]).toEqual([3, 9])
  })

  test('keeps the marker bit and does not change the publisher’s packet', () => {
    const line = createRewriter(1, 111, 90_000)
    const marked = packet(1)
    marked[1] = 0x80 | 96
    const copy = Buffer.from(marked)
    rewriteHeader(line, readPacketHeader(marked), copy, 0)
    expect([copy[1], marked[1]]).toEqual([0x80 | 111, 0x80 | 96])
  })
})

function sent(line: RewriterState, packets: Buffer[], now: number) {
  return packets.map((packet) => {
    const copy = Buffer.from(packet)
    rewriteHeader(line, readPacketHeader(packet), copy, now)
    const payload = (copy[1] ?? 0) & 0x7f
    return { sequence: sequenceOf(copy), time: timestampOf(copy), source: ssrcOf(copy), payload }
  })
}
