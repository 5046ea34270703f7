import { expect, test } from 'vitest'
import { dueParts } from '#lib/meeting/recording/replay-parts.ts'

const startedAt = new Date('2026-12-01T16:00:00Z')
const after = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000)
const lengths = (finishedAfter: number | null, nowAfter = finishedAfter ?? 0) =>
  dueParts({
    startedAt,
    finishedAt: finishedAfter === null ? null : after(finishedAfter),
    now: after(nowAfter),
  }).map(({ since, until }) => (until.getTime() - since.getTime()) / 1000)

test('are complete minutes that were written while the event runs', () => {
  expect(lengths(null, 60)).toEqual([])
  expect(lengths(null, 71)).toEqual([])
  expect(lengths(null, 72)).toEqual([60])
  expect(lengths(null, 192)).toEqual([60, 60, 60])
})

test('cover the whole event when it has ended, without a rest that holds no sound', () => {
  expect(lengths(150)).toEqual([60, 60, 30])
  expect(lengths(120)).toEqual([60, 60])
  expect(lengths(120.4)).toEqual([60, 60])
  expect(lengths(0.5)).toEqual([0.5])
})

test('follow each other without a gap from the start of the session', () => {
  const parts = dueParts({ startedAt, finishedAt: after(135), now: after(140) })
  expect(parts.map(({ number, since }) => [number, since])).toEqual([
    [0, after(0)],
    [1, after(60)],
    [2, after(120)],
  ])
})
