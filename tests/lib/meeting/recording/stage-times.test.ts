import { expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { stageTimesOf } from '#lib/meeting/recording/stage-times.ts'

const person = newId()
const camera = `${person}-camera`
const encoder = `${person}-encoder`
const always = [{ from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }]
const change = (changedAt: number, ...streams: string[]) => ({ changedAt, streams })

test('an encoder is on the stage only between being put there and its removal', () => {
  const changes = [
    change(10_000, camera),
    change(20_000, camera, encoder),
    change(30_000, encoder),
    change(40_000),
    change(50_000, encoder),
  ]
  expect(stageTimesOf(encoder, changes)).toEqual([
    { from: 20_000, until: 40_000 },
    { from: 50_000, until: Number.POSITIVE_INFINITY },
  ])
})

test('a camera is on the stage from shortly before its entry in the log, since it publishes first', () => {
  expect(
    stageTimesOf(camera, [change(10_000, camera), change(30_000), change(31_000, camera), change(60_000)]),
  ).toEqual([{ from: 8000, until: 60_000 }])
  expect(stageTimesOf(camera, [change(10_000, encoder)])).toEqual([])
})

test('a session without changes of the stage shows cameras and screens, but no encoder', () => {
  expect(stageTimesOf(camera, [])).toEqual(always)
  expect(stageTimesOf(`${person}-screen`, [])).toEqual(always)
  expect(stageTimesOf(encoder, [])).toEqual([])
})
