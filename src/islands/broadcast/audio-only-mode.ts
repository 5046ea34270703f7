import { atom, type ReadableAtom } from 'nanostores'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { NetSample } from './network-sample.ts'
import type { AssessSamples } from './video-trial.ts'

/*
 * Audio-only mode: on a connection too slow for video, audio and slides continue without video, and video is retried
 * automatically.
 */

/** Minimum bit rate for video, in bits per second. */
const MIN_VIDEO_BPS = 200_000
const MAX_LOSS = 0.08
/** Packet loss that is too high at any bit rate, for audio and video. */
const CRITICAL_LOSS = 0.25
/** Number of bad seconds, minus the good ones, after which video is disabled. */
const BAD_SECONDS_LIMIT = 4
/** Milliseconds until video is retried, doubled after each failed trial. */
const FIRST_WAIT_MS = 10_000
const MAX_WAIT_MS = 120_000
/** Milliseconds of undisturbed video after which the state is reset. */
const STABLE_AFTER_MS = MINUTE_MS
/** Requirements of a successful trial: number of samples after the first, and maximum packet loss. */
const TRIAL = { samples: 3, lost: 0.03 }

export interface BlackoutState {
  /** Audio and slides only. */
  isAudioOnly: boolean
  badSeconds: number
  /** Time of the last change, in ms since 1970, and its minimum duration. */
  changedAt: number
  waitMs: number
}

export const INITIAL_STATE: BlackoutState = { isAudioOnly: false, badSeconds: 0, changedAt: 0, waitMs: FIRST_WAIT_MS }

/**
 * Whether the bandwidth was not sufficient for video in a second. Decided by packet loss, and with HLS by the player's
 * estimate during a stall. A low bit rate alone is no indication: a static screen needs little, and video also freezes
 * when the presenter's computer is overloaded or the page is reloaded.
 */
export function isBad({ bitsPerSecond, lossShare, availableBps, isLate }: NetSample): boolean {
  // A busy processor loses packets and slows downloads down too.
  if (isLate) return false
  if (availableBps !== null && availableBps < MIN_VIDEO_BPS) return true
  if (bitsPerSecond <= 0) return false
  return lossShare > CRITICAL_LOSS || (bitsPerSecond < MIN_VIDEO_BPS && lossShare > MAX_LOSS)
}

/** The state after another second with video. Problems soon after video was restored double the next wait. */
export function nextAudioOnlyState(state: BlackoutState, sample: NetSample): BlackoutState {
  if (state.isAudioOnly) return state
  const badSeconds = Math.max(0, state.badSeconds + (isBad(sample) ? 1 : -1))
  const isRecent = state.changedAt > 0 && sample.measuredAt - state.changedAt <= STABLE_AFTER_MS
  if (badSeconds >= BAD_SECONDS_LIMIT)
    return {
      isAudioOnly: true,
      badSeconds: 0,
      changedAt: sample.measuredAt,
      waitMs: isRecent ? doubleWait(state) : state.waitMs,
    }
  return { ...state, badSeconds, waitMs: badSeconds > 0 || isRecent ? state.waitMs : FIRST_WAIT_MS }
}

/** Whether video should be retried now. */
export const canRetryVideo = ({ isAudioOnly, changedAt, waitMs }: BlackoutState, now: number): boolean =>
  isAudioOnly && now - changedAt >= waitMs

/** The state after a trial: video, or a longer wait. */
export const stateAfterTrial = (state: BlackoutState, enough: boolean, now: number): BlackoutState =>
  enough
    ? { ...state, isAudioOnly: false, badSeconds: 0, changedAt: now }
    : { ...state, changedAt: now, waitMs: doubleWait(state) }

/**
 * Whether a trial showed that the bandwidth is sufficient for video; null while it is too early to decide. The first
 * bad second ends it, since the audio shares the connection meanwhile.
 */
export function assessTrial([first, ...settled]: readonly NetSample[]): boolean | null {
  if (first && (isBad(first) || first.lossShare > MAX_LOSS)) return false
  if (!settled.every(isGood)) return false
  return settled.length >= TRIAL.samples ? true : null
}

const isGood = (sample: NetSample): boolean =>
  !isBad(sample) && sample.lossShare <= TRIAL.lost && sample.bitsPerSecond > 0

const doubleWait = ({ waitMs }: BlackoutState): number => Math.min(MAX_WAIT_MS, waitMs * 2)

export type BlackoutChoice = 'auto' | 'always' | 'never'

/** The interface of a stream player that the audio-only mode controls. */
export interface AudioOnlyStream {
  $sample: ReadableAtom<NetSample | null>
  setAudioOnly(on: boolean): void
  /**
   * Plays the stream with video in the background until `assessSamples` decides; shows it after a positive result.
   * Resolves with the result.
   */
  tryVideo(assessSamples: AssessSamples): Promise<boolean>
}

export interface Blackout {
  $isAudioOnly: ReadableAtom<boolean>
  $choice: ReadableAtom<BlackoutChoice>
  choose(choice: BlackoutChoice): void
  /** Adds a stream; returns a function that removes it. */
  add(watched: AudioOnlyStream): () => void
  stop(): void
}

const CHECK_INTERVAL_MS = 1000
/** Ms after which a sample is outdated: its stream is lost or was removed. */
const SAMPLE_TTL_MS = 3000

/** The audio-only mode of all streams of a page. */
export function createBlackout(): Blackout {
  const $isAudioOnly = atom(false)
  const $choice = atom<BlackoutChoice>('auto')
  const streams = new Set<AudioOnlyStream>()
  let state = INITIAL_STATE
  let isTrying = false
  let lastSampleAt = 0
  const timer = setInterval(check, CHECK_INTERVAL_MS)

  function check(): void {
    if ($choice.get() !== 'auto') return
    const samples = [...streams].flatMap(({ $sample }) => $sample.get() ?? [])
    const sample = mergeSamples(samples.filter(({ measuredAt }) => Date.now() - measuredAt <= SAMPLE_TTL_MS))
    if (sample && sample.measuredAt > lastSampleAt) {
      lastSampleAt = sample.measuredAt
      state = nextAudioOnlyState(state, sample)
      setAudioOnly(state.isAudioOnly)
    }
    if (!isTrying && canRetryVideo(state, Date.now())) void tryVideoAgain()
  }

  async function tryVideoAgain(): Promise<void> {
    const [first, ...others] = streams
    if (!first) return
    isTrying = true
    const enough = await first.tryVideo(assessTrial).catch(() => false)
    isTrying = false
    if ($choice.get() !== 'auto') return first.setAudioOnly($isAudioOnly.get())
    state = stateAfterTrial(state, enough, Date.now())
    if (state.isAudioOnly) return
    $isAudioOnly.set(false)
    for (const watched of others) watched.setAudioOnly(false)
  }

  function setAudioOnly(on: boolean): void {
    if ($isAudioOnly.get() === on) return
    $isAudioOnly.set(on)
    for (const watched of streams) watched.setAudioOnly(on)
  }

  return {
    $isAudioOnly: $isAudioOnly,
    $choice,
    choose(choice) {
      $choice.set(choice)
      state = INITIAL_STATE
      setAudioOnly(choice === 'always')
    },
    add(watched) {
      streams.add(watched)
      if ($isAudioOnly.get()) watched.setAudioOnly(true)
      return () => void streams.delete(watched)
    },
    stop: () => clearInterval(timer),
  }
}

function mergeSamples(samples: readonly NetSample[]): NetSample | null {
  const [first, ...others] = samples
  if (!first) return null
  return others.reduce(
    (sum, sample) => ({
      measuredAt: Math.max(sum.measuredAt, sample.measuredAt),
      bitsPerSecond: sum.bitsPerSecond + sample.bitsPerSecond,
      lossShare: Math.max(sum.lossShare, sample.lossShare),
      frozenSeconds: Math.max(sum.frozenSeconds, sample.frozenSeconds),
      availableBps: sum.availableBps ?? sample.availableBps,
      isLate: sum.isLate || sample.isLate,
    }),
    first,
  )
}
