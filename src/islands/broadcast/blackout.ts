import { atom, type ReadableAtom } from 'nanostores'
import type { Judge } from './picture-try.ts'
import type { NetSample } from './sample.ts'

/*
 * Blackout mode: on a line that carries less than picture and sound need, the sound and the slides go on without the
 * picture, and the picture comes back by itself.
 */

/** Bits a second under which a picture is given up. */
export const LEAST = 200_000
const MOST_LOST = 0.08
/** Lost of everything on a line of any width: neither picture nor sound can live with that. */
const HOPELESS = 0.25
/** So many bad seconds more than good ones give the picture up. */
const ENOUGH_BAD = 4
/** Ms before the picture is tried again, doubled with each try that fails. */
const FIRST_HOLD = 10_000
const LONGEST_HOLD = 120_000
/** Ms of a picture without trouble after which all is forgotten. */
const FORGIVEN = 60_000
/** What a try must be like, for so many seconds after its first. */
const TRY = { samples: 3, lost: 0.03 }

export interface BlackoutState {
  /** Sound and slides only. */
  on: boolean
  bad: number
  /** Ms since 1970 of the last change, and how long it is to last at least. */
  since: number
  hold: number
}

export const CALM: BlackoutState = { on: false, bad: 0, since: 0, hold: FIRST_HOLD }

/**
 * Whether a second was one in which the line could not carry a picture. Only what is lost says so, by HLS the player's
 * estimate while it stands: a still screen needs little, and a picture stands also when the speaker's computer has no
 * power for it, or while they reload their page.
 */
export function isBad({ bits, lost, available }: NetSample): boolean {
  if (available !== null && available < LEAST) return true
  if (bits <= 0) return false
  return lost > HOPELESS || (bits < LEAST && lost > MOST_LOST)
}

/** The state after one more second with a picture. Trouble soon after a picture that came back makes the next wait longer. */
export function judge(state: BlackoutState, sample: NetSample): BlackoutState {
  if (state.on) return state
  const bad = Math.max(0, state.bad + (isBad(sample) ? 1 : -1))
  const soon = state.since > 0 && sample.at - state.since <= FORGIVEN
  if (bad >= ENOUGH_BAD) return { on: true, bad: 0, since: sample.at, hold: soon ? longer(state) : state.hold }
  return { ...state, bad, hold: bad > 0 || soon ? state.hold : FIRST_HOLD }
}

/** Whether it is time to try the picture again. */
export const mayTry = ({ on, since, hold }: BlackoutState, now: number): boolean => on && now - since >= hold

/** The state after a try: back, or a longer wait. */
export const tried = (state: BlackoutState, enough: boolean, now: number): BlackoutState =>
  enough ? { ...state, on: false, bad: 0, since: now } : { ...state, since: now, hold: longer(state) }

/**
 * Whether a try showed a line that carries the picture; null while it is too early to say. The first bad second ends it,
 * since all the while the sound has to share the line.
 */
export function isEnough([first, ...settled]: readonly NetSample[]): boolean | null {
  if (first && (isBad(first) || first.lost > MOST_LOST)) return false
  if (!settled.every(isGood)) return false
  return settled.length >= TRY.samples ? true : null
}

const isGood = (one: NetSample): boolean => !isBad(one) && one.lost <= TRY.lost && one.bits > 0

const longer = ({ hold }: BlackoutState): number => Math.min(LONGEST_HOLD, hold * 2)

export type BlackoutChoice = 'auto' | 'always' | 'never'

/** What of a watcher blackout mode needs. */
export interface Watched {
  $sample: ReadableAtom<NetSample | null>
  setAudioOnly(on: boolean): void
  /** Plays the whole stream unseen until `judge` knows what it is like; what was good is shown. Answers whether it was. */
  tryPicture(judge: Judge): Promise<boolean>
}

export interface Blackout {
  $on: ReadableAtom<boolean>
  $choice: ReadableAtom<BlackoutChoice>
  choose(choice: BlackoutChoice): void
  /** Watches one more stream; gives the way to stop. */
  add(watched: Watched): () => void
  stop(): void
}

const EVERY = 1000
/** Ms after which a sample says nothing more: its stream is lost, or was taken off. */
const STALE = 3000

/** Blackout mode for all streams of a page together. */
export function createBlackout(): Blackout {
  const $on = atom(false)
  const $choice = atom<BlackoutChoice>('auto')
  const all = new Set<Watched>()
  let state = CALM
  let trying = false
  let heard = 0
  const timer = setInterval(look, EVERY)

  function look(): void {
    if ($choice.get() !== 'auto') return
    const samples = [...all].flatMap(({ $sample }) => $sample.get() ?? [])
    const sample = together(samples.filter(({ at }) => Date.now() - at <= STALE))
    if (sample && sample.at > heard) {
      heard = sample.at
      state = judge(state, sample)
      show(state.on)
    }
    if (!trying && mayTry(state, Date.now())) void attempt()
  }

  async function attempt(): Promise<void> {
    const [first, ...others] = all
    if (!first) return
    trying = true
    const enough = await first.tryPicture(isEnough).catch(() => false)
    trying = false
    if ($choice.get() !== 'auto') return first.setAudioOnly($on.get())
    state = tried(state, enough, Date.now())
    if (state.on) return
    $on.set(false)
    for (const watched of others) watched.setAudioOnly(false)
  }

  function show(on: boolean): void {
    if ($on.get() === on) return
    $on.set(on)
    for (const watched of all) watched.setAudioOnly(on)
  }

  return {
    $on,
    $choice,
    choose(choice) {
      $choice.set(choice)
      state = CALM
      show(choice === 'always')
    },
    add(watched) {
      all.add(watched)
      if ($on.get()) watched.setAudioOnly(true)
      return () => void all.delete(watched)
    },
    stop: () => clearInterval(timer),
  }
}

function together(samples: readonly NetSample[]): NetSample | null {
  const [first, ...others] = samples
  if (!first) return null
  return others.reduce(
    (sum, one) => ({
      at: Math.max(sum.at, one.at),
      bits: sum.bits + one.bits,
      lost: Math.max(sum.lost, one.lost),
      frozen: Math.max(sum.frozen, one.frozen),
      available: sum.available ?? one.available,
    }),
    first,
  )
}
