import { atom, type WritableAtom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AudioOnlyStream,
  assessTrial,
  type BlackoutState,
  canRetryVideo,
  createBlackout,
  INITIAL_STATE,
  isBad,
  nextAudioOnlyState,
  stateAfterTrial,
} from '#islands/broadcast/audio-only-mode.ts'
import { type NetSample, readCounters, sampleBetween } from '#islands/broadcast/network-sample.ts'

const second = (at: number, more: Partial<NetSample> = {}): NetSample => ({
  measuredAt: at * 1000,
  bitsPerSecond: 900_000,
  lossShare: 0,
  frozenSeconds: 0,
  availableBps: null,
  isLate: false,
  ...more,
})
const THIN = { bitsPerSecond: 120_000, lossShare: 0.4, frozenSeconds: 0.8 }
const lived = (state: BlackoutState, seconds: Partial<NetSample>[], from = 1): BlackoutState =>
  seconds.reduce<BlackoutState>((now, more, nth) => nextAudioOnlyState(now, second(from + nth, more)), state)

describe('a line', () => {
  test.each([
    ['a thin one that loses much', THIN, true],
    ['a picture that stands for want of power', { bitsPerSecond: 150_000, frozenSeconds: 0.9 }, false],
    ['one that the browser knows to be thin', { availableBps: 120_000 }, true],
    ['a still screen', { bitsPerSecond: 40_000 }, false],
    ['a good one that loses some', { lossShare: 0.2 }, false],
    ['a presenter who is away', { bitsPerSecond: 0, frozenSeconds: 1 }, false],
    ['one that loses more than anything can live with', { bitsPerSecond: 300_000, lossShare: 0.6 }, true],
    ['a busy processor that loses packets', { ...THIN, isLate: true }, false],
    ['a good one', {}, false],
  ])('the rating of %s', (_, sample, bad) => {
    expect(isBad(second(1, sample))).toBe(bad)
  })
})

describe('audio-only mode', () => {
  test('starts after some seconds below 200 kbit/s, not after one', () => {
    expect(lived(INITIAL_STATE, [THIN, THIN, THIN]).isAudioOnly).toBe(false)
    expect(lived(INITIAL_STATE, [THIN, THIN, THIN, THIN])).toMatchObject({ isAudioOnly: true, changedAt: 4000 })
  })

  test('ignores short problems', () => {
    expect(lived(INITIAL_STATE, [THIN, {}, THIN, {}, THIN, {}, THIN, {}, THIN, {}]).isAudioOnly).toBe(false)
    expect(lived(INITIAL_STATE, [THIN, THIN, {}, THIN, THIN, THIN]).isAudioOnly).toBe(true)
  })

  test('ends after a successful trial, and waits longer after each failed one', () => {
    const on = lived(INITIAL_STATE, [THIN, THIN, THIN, THIN])
    expect(canRetryVideo(on, 13_000)).toBe(false)
    expect(canRetryVideo(on, 14_000)).toBe(true)
    const once = stateAfterTrial(on, false, 18_000)
    expect(once).toMatchObject({ isAudioOnly: true, waitMs: 20_000 })
    expect(canRetryVideo(once, 37_000)).toBe(false)
    expect(canRetryVideo(once, 38_000)).toBe(true)
    expect(stateAfterTrial(once, true, 42_000).isAudioOnly).toBe(false)
  })

  test('waits longer when restored video fails again soon', () => {
    const back = stateAfterTrial(lived(INITIAL_STATE, [THIN, THIN, THIN, THIN]), true, 14_000)
    expect(lived(back, [THIN, THIN, THIN, THIN], 15)).toMatchObject({ isAudioOnly: true, waitMs: 20_000 })
    expect(lived(back, [THIN, THIN, THIN, THIN], 90)).toMatchObject({ isAudioOnly: true, waitMs: 10_000 })
  })

  test('waits two minutes at most, and resets after a stable minute', () => {
    let state: BlackoutState = { ...INITIAL_STATE, isAudioOnly: true }
    for (let turn = 0; turn < 9; turn++) state = stateAfterTrial(state, false, turn)
    expect(state.waitMs).toBe(120_000)
    const back = stateAfterTrial(state, true, 3000)
    expect(lived(back, [{}, {}], 10).waitMs).toBe(120_000)
    expect(lived(back, [{}], 64).waitMs).toBe(10_000)
  })

  test('a short trial is not sufficient', () => {
    const [first, two, three, four] = [second(1), second(2), second(3), second(4)]
    expect([assessTrial([]), assessTrial([first]), assessTrial([first, two, three])]).toEqual([null, null, null])
    expect(assessTrial([first, two, three, four])).toBe(true)
  })

  test('a trial fails with its first bad second', () => {
    const sample = second(1)
    expect(assessTrial([second(1, THIN)])).toBe(false)
    expect(assessTrial([second(1, { lossShare: 0.1 })])).toBe(false)
    expect(assessTrial([sample, second(2, { lossShare: 0.05 })])).toBe(false)
    expect(assessTrial([sample, second(2, { bitsPerSecond: 0 })])).toBe(false)
  })
})

test('computes a sample from the counters of a connection', () => {
  const report = (bytes: number, packets: number, lost: number) =>
    new Map<string, object>([
      ['T', { type: 'transport', bytesReceived: bytes + 100 }],
      ['P', { type: 'candidate-pair', nominated: true, availableIncomingBitrate: 700_000 }],
      [
        'V',
        { type: 'inbound-rtp', bytesReceived: bytes, packetsReceived: packets, packetsLost: lost, framesDecoded: 3 },
      ],
    ])
  const before = readCounters(report(1000, 10, 0) as RTCStatsReport, 1000)
  const now = readCounters(report(51_000, 55, 5) as RTCStatsReport, 2000)
  expect(sampleBetween(before, now)).toEqual({
    measuredAt: 2000,
    bitsPerSecond: 400_000,
    lossShare: 0.1,
    frozenSeconds: 0,
    availableBps: 700_000,
    isLate: false,
  })
  expect(sampleBetween(before, { ...now, at: 3000 }).isLate).toBe(true)
})

describe('the streams of a page', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
  afterEach(() => vi.useRealTimers())

  function picture(outcome: () => Promise<boolean> = async () => true) {
    const $sample = atom<NetSample | null>(null)
    const mode = { $sample, soundOnly: false, tries: 0 }
    const watched: AudioOnlyStream = {
      $sample,
      setAudioOnly: (on) => {
        mode.soundOnly = on
      },
      tryVideo: () => {
        mode.tries += 1
        return outcome()
      },
    }
    return { mode, watched }
  }

  async function live(seconds: number, pictures: { $sample: WritableAtom<NetSample | null> }[], more: object = {}) {
    for (let at = 0; at < seconds; at++) {
      for (const { $sample } of pictures) $sample.set({ ...second(Date.now() / 1000), ...more })
      await vi.advanceTimersByTimeAsync(1000)
    }
  }

  test('switch to audio only and back together', async () => {
    const [camera, screen] = [picture(), picture()]
    const blackout = createBlackout()
    for (const { watched } of [camera, screen]) blackout.add(watched)
    await live(5, [camera.mode, screen.mode], THIN)
    expect([blackout.$isAudioOnly.get(), camera.mode.soundOnly, screen.mode.soundOnly]).toEqual([true, true, true])
    const late = picture()
    blackout.add(late.watched)
    expect(late.mode.soundOnly).toBe(true)
    await vi.advanceTimersByTimeAsync(11_000)
    // The first stream was shown again by its trial connection.
    expect([blackout.$isAudioOnly.get(), camera.mode.tries, screen.mode.soundOnly, late.mode.soundOnly]).toEqual([
      false,
      1,
      false,
      false,
    ])
    blackout.stop()
  })

  test('ignore old samples of a lost stream', async () => {
    const [lost, other] = [picture(), picture()]
    const blackout = createBlackout()
    for (const { watched } of [lost, other]) blackout.add(watched)
    await live(1, [lost.mode], THIN)
    await live(9, [other.mode])
    expect([blackout.$isAudioOnly.get(), other.mode.soundOnly]).toEqual([false, false])
    blackout.stop()
  })

  test('stay audio-only after a failed trial, longer each time', async () => {
    const { mode, watched } = picture(async () => false)
    const blackout = createBlackout()
    blackout.add(watched)
    await live(5, [mode], THIN)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([blackout.$isAudioOnly.get(), mode.tries]).toEqual([true, 2])
    blackout.stop()
  })

  test('stay audio-only when the user chooses it during a trial', async () => {
    let end = (_: boolean): void => {}
    const { mode, watched } = picture(
      () =>
        new Promise((resolve) => {
          end = resolve
        }),
    )
    const blackout = createBlackout()
    blackout.add(watched)
    await live(5, [mode], THIN)
    await vi.advanceTimersByTimeAsync(11_000)
    blackout.choose('always')
    mode.soundOnly = false
    end(true)
    await vi.advanceTimersByTimeAsync(0)
    expect([blackout.$isAudioOnly.get(), mode.soundOnly]).toEqual([true, true])
    blackout.stop()
  })
})
