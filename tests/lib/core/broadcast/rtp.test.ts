import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { trackMissing } from '#lib/core/broadcast/sfu/missing-packets.ts'
import { receive } from '#lib/core/broadcast/sfu/reception.ts'
import {
  ahead,
  askedAgain,
  clockOf,
  controlsOf,
  estimate,
  isRtcp,
  nack,
  pictureLoss,
  receiverReport,
  senderReport,
  sequenceOf,
  sourceOf,
  timeOf,
  wantsKeyframe,
  withoutExtension,
} from '#lib/core/broadcast/sfu/rtp.ts'
import { type Line, newLine, original, readdress, seenOf } from '#lib/core/broadcast/sfu/stream-rewriter.ts'

const number = fc.integer({ min: 0, max: 0xffff })

function packet(sequence: number, time = 0, body = 'abc'): Buffer {
  const head = Buffer.from([0x80, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9])
  head.writeUInt16BE(sequence & 0xffff, 2)
  head.writeUInt32BE(time >>> 0, 4)
  return Buffer.concat([head, Buffer.from(body)])
}

describe('RTP', () => {
  test('numbers go round', () => {
    expect(ahead(1, 65_535)).toBe(2)
    expect(ahead(65_535, 1)).toBe(-2)
    fc.assert(
      fc.property(
        number,
        fc.integer({ min: -32_000, max: 32_000 }),
        (from, by) => ahead((from + by) & 0xffff, from) === by,
      ),
    )
  })

  test('loses its header extension and nothing else', () => {
    const plain = packet(7, 9, 'payload')
    expect(withoutExtension(plain)).toBe(plain)
    const sources = Buffer.from([0, 0, 0, 1])
    const extension = Buffer.from([0xbe, 0xde, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8])
    const extended = Buffer.concat([plain.subarray(0, 12), sources, extension, plain.subarray(12)])
    extended[0] = 0x80 | 0x10 | 1
    const bare = withoutExtension(extended)
    expect(bare.subarray(16).toString()).toBe('payload')
    expect(bare[0]).toBe(0x81)
    expect(sequenceOf(bare)).toBe(7)
    expect(withoutExtension(extended.subarray(0, 18))).toHaveLength(18)
    expect(withoutExtension(extended.subarray(0, 22))).toHaveLength(22)
  })

  test('is told from RTCP on the same port', () => {
    expect(isRtcp(packet(1))).toBe(false)
    expect([nack(1, 2, [3]), pictureLoss(1, 2), senderReport(1, 0, 0, { packets: 0, octets: 0 })].every(isRtcp)).toBe(
      true,
    )
  })
})

describe('RTCP', () => {
  test('asks again for exactly the numbers that are missing', () => {
    const circles = fc.tuple(number, fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 60 }))
    fc.assert(
      fc.property(circles, ([from, steps]) => {
        const wanted = steps.toSorted((a, b) => a - b).map((step) => (from + step) & 0xffff)
        const [control, ...more] = controlsOf(nack(1, 2, wanted))
        expect(more).toEqual([])
        expect(control && askedAgain(control)).toEqual(wanted)
      }),
    )
  })

  test('is read from compound packets, up to where one is cut short', () => {
    const compound = Buffer.concat([
      senderReport(5, 1000, 77, { packets: 1, octets: 2 }),
      pictureLoss(1, 2),
      nack(1, 2, [4]),
    ])
    const controls = controlsOf(compound)
    expect(controls.map(({ type, format }) => [type, format])).toEqual([
      [200, 0],
      [206, 1],
      [205, 1],
    ])
    expect(controls.map(wantsKeyframe)).toEqual([false, true, false])
    expect(controlsOf(compound.subarray(0, compound.length - 2))).toHaveLength(2)
    expect(controlsOf(Buffer.from([0x80, 200, 0xff, 0xff]))).toEqual([])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const control of controlsOf(Buffer.from(bytes))) {
          askedAgain(control)
          clockOf(control)
        }
      }),
    )
  })

  test('carries the clock to the millisecond', () => {
    const now = Date.UTC(2026, 10, 21, 12, 30, 15, 250)
    const report = senderReport(0xfffffff0, now, 2 ** 32 + 5, { packets: 3, octets: 2 ** 32 + 1 })
    const [control] = controlsOf(report)
    const clock = control && clockOf(control)
    expect(clock?.milliseconds).toBeCloseTo(now, 1)
    expect(clock?.time).toBe(5)
    expect(clock?.middle).toBe(report.readUInt32BE(10))
    expect(report.readUInt32BE(24)).toBe(1)
  })

  test('tells an estimate of bits that a sender reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (bits) => {
        const word = estimate(1, 2, bits).readUInt32BE(16)
        const read = (word & 0x3ffff) * 2 ** ((word >> 18) & 63)
        expect(word >>> 24).toBe(1)
        expect(read).toBeLessThanOrEqual(bits)
        expect(read).toBeGreaterThan(bits * 0.999 - 1)
      }),
    )
  })

  test('reports what was lost and how evenly it came', () => {
    const reception = receive(90_000)
    for (const at of [0, 1, 2, 3, 5, 6, 7, 9]) reception.note(packet(65_530 + at, at * 3000), (at * 1000) / 30)
    reception.clocked({ milliseconds: 0, time: 0, middle: 0xabcdef }, 1000)
    const first = reception.report(1500)
    expect(first).toMatchObject({ fraction: 0.2, lost: 2, highest: 65_539, middle: 0xabcdef, since: 500 })
    expect(first.jitter).toBeLessThan(1)
    reception.note(packet(65_534, 12_000), 600)
    expect(reception.report(2000)).toMatchObject({ fraction: 0, lost: 1 })
    const report = receiverReport(1, 2, first)
    expect([report[12], report.readIntBE(13, 3), report.readUInt32BE(16)]).toEqual([51, 2, 65_539])
    expect(report.readUInt32BE(28)).toBe(32_768)
    expect(receiverReport(1, 2, { ...first, middle: 0, lost: -3 }).readIntBE(13, 3)).toBe(-3)
  })
})

describe('what is missing', () => {
  test('is asked for at once, again each turn, and given up after the eighth time', () => {
    const missing = trackMissing()
    expect(missing.note(65_533)).toEqual({ fresh: true, gone: [] })
    expect(missing.note(1)).toEqual({ fresh: true, gone: [65_534, 65_535, 0] })
    expect(missing.note(65_535)).toEqual({ fresh: false, gone: [] })
    for (let turn = 0; turn < 7; turn++) expect(missing.turn()).toEqual({ again: [65_534, 0], givenUp: false })
    expect(missing.turn()).toEqual({ again: [], givenUp: true })
    expect(missing.turn()).toEqual({ again: [], givenUp: false })
    expect([missing.lost, missing.recovered]).toEqual([2, 1])
  })

  test('is nothing where the source began anew', () => {
    const missing = trackMissing()
    missing.note(10)
    missing.note(12)
    expect(missing.note(5000)).toEqual({ fresh: true, gone: [] })
    expect(missing.turn().again).toEqual([])
  })
})

describe('a viewer’s line', () => {
  test('goes on without a break from one publisher to the next', () => {
    const line = newLine(0xdeadbeef, 111, 90_000)
    const seen = sent(line, [packet(100, 5000), packet(101, 8000)], 1000)
    expect(seen.map(({ sequence, time }) => [sequence, time])).toEqual([
      [100, 5000],
      [101, 8000],
    ])
    line.begins = true
    const next = sent(line, [packet(65_535, 4_000_000_000), packet(65_536, 4_000_003_000)], 3000)
    expect(next.map(({ sequence }) => sequence)).toEqual([102, 103])
    expect(next.map(({ time }) => time)).toEqual([8000 + 180_000, 8000 + 183_000])
    expect(original(line, 103)).toBe(0)
    expect(next.every(({ source, payload }) => source === 0xdeadbeef && payload === 111)).toBe(true)
  })

  test('ends at its newest packet, not at one that came late', () => {
    const line = newLine(1, 96, 90_000)
    sent(line, [packet(10, 100), packet(12, 300), packet(11, 200)], 0)
    expect(line.last).toMatchObject({ sequence: 12, time: 300 })
    expect([line.packets, line.octets]).toEqual([3, 9])
  })

  test('keeps the mark of a frame’s end and leaves the publisher’s packet alone', () => {
    const line = newLine(1, 111, 90_000)
    const marked = packet(1)
    marked[1] = 0x80 | 96
    const copy = Buffer.from(marked)
    readdress(line, seenOf(marked), copy, 0)
    expect([copy[1], marked[1]]).toEqual([0x80 | 111, 0x80 | 96])
  })
})

function sent(line: Line, packets: Buffer[], now: number) {
  return packets.map((one) => {
    const copy = Buffer.from(one)
    readdress(line, seenOf(one), copy, now)
    const payload = (copy[1] ?? 0) & 0x7f
    return { sequence: sequenceOf(copy), time: timeOf(copy), source: sourceOf(copy), payload }
  })
}
