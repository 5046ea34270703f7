import { atom, type WritableAtom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type BlackoutState,
  CALM,
  createBlackout,
  isBad,
  isEnough,
  judge,
  mayTry,
  tried,
  type Watched,
} from '#islands/broadcast/blackout.ts'
import { countersOf, type NetSample, sampleBetween } from '#islands/broadcast/sample.ts'

const second = (at: number, more: Partial<NetSample> = {}): NetSample => ({
  at: at * 1000,
  bits: 900_000,
  lost: 0,
  frozen: 0,
  available: null,
  ...more,
})
const THIN = { bits: 120_000, lost: 0.4, frozen: 0.8 }
const lived = (state: BlackoutState, seconds: Partial<NetSample>[], from = 1): BlackoutState =>
  seconds.reduce<BlackoutState>((now, more, nth) => judge(now, second(from + nth, more)), state)

describe('a line', () => {
  test.each([
    ['a thin one that loses much', THIN, true],
    ['a picture that stands for want of power', { bits: 150_000, frozen: 0.9 }, false],
    ['one that the browser knows to be thin', { available: 120_000 }, true],
    ['a still screen', { bits: 40_000 }, false],
    ['a good one that loses some', { lost: 0.2 }, false],
    ['a presenter who is away', { bits: 0, frozen: 1 }, false],
    ['one that loses more than anything can live with', { bits: 300_000, lost: 0.6 }, true],
    ['a good one', {}, false],
  ])('%s is judged', (_, sample, bad) => {
    expect(isBad(second(1, sample))).toBe(bad)
  })
})

describe('blackout mode', () => {
  test('begins after some seconds under 200 kbit/s, not after one', () => {
    expect(lived(CALM, [THIN, THIN, THIN]).on).toBe(false)
    expect(lived(CALM, [THIN, THIN, THIN, THIN])).toMatchObject({ on: true, since: 4000 })
  })

  test('is not tripped by troubles that pass', () => {
    expect(lived(CALM, [THIN, {}, THIN, {}, THIN, {}, THIN, {}, THIN, {}]).on).toBe(false)
    expect(lived(CALM, [THIN, THIN, {}, THIN, THIN, THIN]).on).toBe(true)
  })

  test('comes back when a try shows enough, and waits longer after each that does not', () => {
    const on = lived(CALM, [THIN, THIN, THIN, THIN])
    expect(mayTry(on, 13_000)).toBe(false)
    expect(mayTry(on, 14_000)).toBe(true)
    const once = tried(on, false, 18_000)
    expect(once).toMatchObject({ on: true, hold: 20_000 })
    expect(mayTry(once, 37_000)).toBe(false)
    expect(mayTry(once, 38_000)).toBe(true)
    expect(tried(once, true, 42_000).on).toBe(false)
  })

  test('waits longer when the picture that came back has to go again soon', () => {
    const back = tried(lived(CALM, [THIN, THIN, THIN, THIN]), true, 14_000)
    expect(lived(back, [THIN, THIN, THIN, THIN], 15)).toMatchObject({ on: true, hold: 20_000 })
    expect(lived(back, [THIN, THIN, THIN, THIN], 90)).toMatchObject({ on: true, hold: 10_000 })
  })

  test('never waits longer than two minutes, and forgives after a quiet minute', () => {
    let state: BlackoutState = { ...CALM, on: true }
    for (let turn = 0; turn < 9; turn++) state = tried(state, false, turn)
    expect(state.hold).toBe(120_000)
    const back = tried(state, true, 3000)
    expect(lived(back, [{}, {}], 10).hold).toBe(120_000)
    expect(lived(back, [{}], 64).hold).toBe(10_000)
  })

  test('takes no try for enough that showed too little', () => {
    const [one, two, three, four] = [second(1), second(2), second(3), second(4)]
    expect([isEnough([]), isEnough([one]), isEnough([one, two, three])]).toEqual([null, null, null])
    expect(isEnough([one, two, three, four])).toBe(true)
  })

  test('gives a try up with its first bad second', () => {
    const one = second(1)
    expect(isEnough([second(1, THIN)])).toBe(false)
    expect(isEnough([second(1, { lost: 0.1 })])).toBe(false)
    expect(isEnough([one, second(2, { lost: 0.05 })])).toBe(false)
    expect(isEnough([one, second(2, { bits: 0 })])).toBe(false)
  })
})

test('reads what a second was like from the counters of a connection', () => {
  const report = (bytes: number, packets: number, lost: number) =>
    new Map<string, object>([
      ['T', { type: 'transport', bytesReceived: bytes + 100 }],
      ['P', { type: 'candidate-pair', nominated: true, availableIncomingBitrate: 700_000 }],
      [
        'V',
        { type: 'inbound-rtp', bytesReceived: bytes, packetsReceived: packets, packetsLost: lost, framesDecoded: 3 },
      ],
    ])
  const before = countersOf(report(1000, 10, 0) as RTCStatsReport, 1000)
  const now = countersOf(report(51_000, 55, 5) as RTCStatsReport, 2000)
  expect(sampleBetween(before, now)).toEqual({ at: 2000, bits: 400_000, lost: 0.1, frozen: 0, available: 700_000 })
})

describe('the pictures of a page', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
  afterEach(() => vi.useRealTimers())

  function picture(outcome: () => Promise<boolean> = async () => true) {
    const $sample = atom<NetSample | null>(null)
    const one = { $sample, soundOnly: false, tries: 0 }
    const watched: Watched = {
      $sample,
      setAudioOnly: (on) => {
        one.soundOnly = on
      },
      tryPicture: () => {
        one.tries += 1
        return outcome()
      },
    }
    return { one, watched }
  }

  async function live(seconds: number, pictures: { $sample: WritableAtom<NetSample | null> }[], more: object = {}) {
    for (let at = 0; at < seconds; at++) {
      for (const { $sample } of pictures) $sample.set({ ...second(Date.now() / 1000), ...more })
      await vi.advanceTimersByTimeAsync(1000)
    }
  }

  test('go together and come back together', async () => {
    const [camera, screen] = [picture(), picture()]
    const blackout = createBlackout()
    for (const { watched } of [camera, screen]) blackout.add(watched)
    await live(5, [camera.one, screen.one], THIN)
    expect([blackout.$on.get(), camera.one.soundOnly, screen.one.soundOnly]).toEqual([true, true, true])
    const late = picture()
    blackout.add(late.watched)
    expect(late.one.soundOnly).toBe(true)
    await vi.advanceTimersByTimeAsync(11_000)
    // The first has shown itself with its try.
    expect([blackout.$on.get(), camera.one.tries, screen.one.soundOnly, late.one.soundOnly]).toEqual([
      false,
      1,
      false,
      false,
    ])
    blackout.stop()
  })

  test('are not judged by one that was lost some seconds ago', async () => {
    const [lost, other] = [picture(), picture()]
    const blackout = createBlackout()
    for (const { watched } of [lost, other]) blackout.add(watched)
    await live(1, [lost.one], THIN)
    await live(9, [other.one])
    expect([blackout.$on.get(), other.one.soundOnly]).toEqual([false, false])
    blackout.stop()
  })

  test('stay away when a try says so, and longer each time', async () => {
    const { one, watched } = picture(async () => false)
    const blackout = createBlackout()
    blackout.add(watched)
    await live(5, [one], THIN)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([blackout.$on.get(), one.tries]).toEqual([true, 2])
    blackout.stop()
  })

  test('stay away for who chose sound alone while a try went on', async () => {
    let end = (_: boolean): void => {}
    const { one, watched } = picture(
      () =>
        new Promise((resolve) => {
          end = resolve
        }),
    )
    const blackout = createBlackout()
    blackout.add(watched)
    await live(5, [one], THIN)
    await vi.advanceTimersByTimeAsync(11_000)
    blackout.choose('always')
    one.soundOnly = false
    end(true)
    await vi.advanceTimersByTimeAsync(0)
    expect([blackout.$on.get(), one.soundOnly]).toEqual([true, true])
    blackout.stop()
  })
})
