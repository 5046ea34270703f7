import { describe, expect, test } from 'vitest'
import { slideAt } from '#islands/meeting/automated/slide-at.ts'
import { initialSlideChanges, type SlideChange, toSlideTurns } from '#lib/meeting/recording/replay-slides.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'

const [A, B] = ['file-a', 'file-b']

describe('slides of a replay', () => {
  test.each<[string, SlideChange[], unknown]>([
    ['are none when none were shown', [{ offsetMs: 0, mode: 'broadcast' }], [[0, null, 1]]],
    [
      'begin with the state of the room at the start',
      [
        { offsetMs: 0, mode: 'presentationAndBroadcast' },
        { offsetMs: 0, fileId: A, page: 1 },
        { offsetMs: -60_000, fileId: A, page: 4 },
        { offsetMs: 5000, fileId: A, page: 5 },
      ],
      [
        [0, A, 4],
        [5000, A, 5],
      ],
    ],
    [
      'appear and disappear with the mode, on the current page and file',
      [
        { offsetMs: 0, mode: 'presentation' },
        { offsetMs: 0, fileId: A, page: 1 },
        { offsetMs: 1000, mode: 'broadcast' },
        { offsetMs: 2000, fileId: B, page: 7 },
        { offsetMs: 3000, mode: 'preview' },
        { offsetMs: 4000, mode: 'presentation' },
      ],
      [
        [0, A, 1],
        [1000, null, 1],
        [3000, B, 7],
      ],
    ],
  ])('%s', (_, words, turns) => {
    expect(toSlideTurns(words).map(({ ms, fileId, page }) => [ms, fileId, page])).toEqual(turns)
  })

  test('begin with the slides of that time, not with the current ones', () => {
    const chat = ChatSettings.parse({})
    const room = { ...initialRoomState(chat, null), slide: { fileId: B, page: 3 }, mode: 'preview' as const }
    const matchStart = (words: SlideChange[]) =>
      toSlideTurns([...initialSlideChanges(words, room), ...words]).map(({ fileId, page }) => [fileId, page])
    expect(matchStart([])).toEqual([[B, 3]])
    expect(matchStart([{ offsetMs: 9000, fileId: A, page: 2 }])).toEqual([
      [A, 1],
      [A, 2],
    ])
    expect(matchStart([{ offsetMs: 9000, mode: 'broadcast' }])).toEqual([
      [B, 3],
      [null, 1],
    ])
  })

  test('follow the position of the recording, forwards and backwards', () => {
    const turns = [
      { ms: 500, fileId: A, page: 1 },
      { ms: 4000, fileId: A, page: 2 },
    ]
    const pages = [0, 499, 500, 3999, 4000, 90_000, 600].map((ms) => slideAt(turns, ms))
    expect(pages.map(({ fileId, page }) => fileId && page)).toEqual([null, null, 1, 1, 2, 2, 1])
  })
})
