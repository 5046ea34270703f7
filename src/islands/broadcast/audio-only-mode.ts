import { atom, type ReadableAtom } from 'nanostores'
import type { NetSample } from './network-sample.ts'
import type { AssessSamples } from './video-trial.ts'

/*
 * Audio-only mode: on a connection too slow for video, audio and slides continue without video, and video is retried
 * automatically.
 */

/** Bits a second under which a picture is given up. */
const MIN_VIDEO_BPS = 200_000
const MAX_LOSS = 0.08
/** Lost of everything on a line of any width: neither picture nor sound can live with that. */
const CRITICAL_LOSS = 0.25
/** So many bad seconds more than good ones give the picture up. */
const BAD_SECONDS_LIMIT = 4
/** Ms before the picture is tried again, doubled with each try that fails. */
const FIRST_WAIT_MS = 10_000
const MAX_WAIT_MS = 120_000
/** Ms of a picture without trouble after which all is forgotten. */
const STABLE_AFTER_MS = 60_000
/** What a try must be like, for so many seconds after its first. */
const TRIAL = { samples: 3, lost: 0.03 }

export interface BlackoutState {
  /** Sound and slides only. */
  isAudioOnly: boolean
  badSeconds: number
  /** Ms since 1970 of the last change, and how long it is to last at least. */
  changedAt: number
  waitMs: number
}

export const INITIAL_STATE: BlackoutState = { isAudioOnly: false, badSeconds: 0, changedAt: 0, waitMs: FIRST_WAIT_MS }

/**
 * Whether the connection could not carry video in a second. Only what is lost says so, by HLS the player's
 * estimate while it stands: a still screen needs little, and a picture stands also when the speaker's computer has no
 * power for it, or while they reload their page.
 */
export function isBad({ bitsPerSecond, lossShare, availableBps }: NetSample): boolean {
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

/** Whether it is time to try the picture again. */
export const canRetryVideo = ({ isAudioOnly, changedAt, waitMs }: BlackoutState, now: number): boolean =>
  isAudioOnly && now - changedAt >= waitMs

/** The state after a try: back, or a longer wait. */
export const stateAfterTrial = (state: BlackoutState, enough: boolean, now: number): BlackoutState =>
  enough
    ? { ...state, isAudioOnly: false, badSeconds: 0, changedAt: now }
    : { ...state, changedAt: now, waitMs: doubleWait(state) }

/**
 * Whether a try showed a line that carries the picture; null while it is too early to say. The first bad second ends it,
 * since the audio shares the connection meanwhile.
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

/** What of a watcher blackout mode needs. */
export interface AudioOnlyStream {
  $sample: ReadableAtom<NetSample | null>
  setAudioOnly(on: boolean): void
  /**
   * Plays the stream with video in the background until `judgeSamples` decides; shows it when it was good. Resolves
   * with that result.
   */
  tryVideo(assessSamples: AssessSamples): Promise<boolean>
}

export interface Blackout {
  $isAudioOnly: ReadableAtom<boolean>
  $choice: ReadableAtom<BlackoutChoice>
  choose(choice: BlackoutChoice): void
  /** Watches one more stream; gives the way to stop. */
  add(watched: AudioOnlyStream): () => void
  stop(): void
}

const CHECK_INTERVAL_MS = 1000
/** Ms after which a sample is outdated: its stream is lost or was removed. */
const SAMPLE_TTL_MS = 3000

/** Blackout mode for all streams of a page together. */
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
    }),
    first,
  )
}
