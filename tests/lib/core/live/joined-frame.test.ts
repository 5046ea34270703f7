import { describe, expect, test } from 'vitest'
import { joinFrames } from '#lib/core/live/joined-frame.ts'

const EVENTS = [
  { id: 11, channel: 'course:1', payload: '"a"' },
  { id: 12, channel: 'course:2', payload: '"b"' },
  { id: 14, channel: 'course:1', payload: '"c"' },
]

const eventText = (id: number, channel: string, payload: string) =>
  `id: ${id}\ndata: {"channel":"${channel}","payload":${payload}}\n\n`

describe('joined frames', () => {
  test('have the new events of the channels of a stream in their order', () => {
    const frameFor = joinFrames(EVENTS)
    const all = frameFor({ channels: ['course:2', 'course:1'], lastEventId: 10 })
    expect(all?.lastId).toBe(14)
    expect(all?.frame.plain.toString()).toBe(
      eventText(11, 'course:1', '"a"') + eventText(12, 'course:2', '"b"') + eventText(14, 'course:1', '"c"'),
    )
    const second = frameFor({ channels: ['course:2'], lastEventId: 10 })
    expect(second?.lastId).toBe(12)
    expect(second?.frame.plain.toString()).toBe(eventText(12, 'course:2', '"b"'))
  })

  test('omit what a stream has received', () => {
    const frameFor = joinFrames(EVENTS)
    expect(frameFor({ channels: ['course:1'], lastEventId: 11 })?.frame.plain.toString()).toBe(
      eventText(14, 'course:1', '"c"'),
    )
    expect(frameFor({ channels: ['course:2'], lastEventId: 12 })).toBeNull()
    expect(frameFor({ channels: ['course:1'], lastEventId: Number.POSITIVE_INFINITY })).toBeNull()
    expect(frameFor({ channels: ['course:3'], lastEventId: 10 })).toBeNull()
  })

  test('are the same bytes for streams of the same channels', () => {
    const frameFor = joinFrames(EVENTS)
    const first = frameFor({ channels: ['course:1', 'course:9'], lastEventId: 10 })
    expect(frameFor({ channels: ['course:1'], lastEventId: 3 })).toBe(first)
  })

  test('are one chunk of HTTP with its length in bytes', () => {
    const frame = joinFrames([{ id: 1, channel: 'course:1', payload: '"ї"' }])({
      channels: ['course:1'],
      lastEventId: 0,
    })?.frame
    expect(frame?.chunk.toString()).toBe(`${frame?.plain.length.toString(16)}\r\n${frame?.plain.toString()}\r\n`)
  })
})
