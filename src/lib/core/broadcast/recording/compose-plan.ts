import type { PresentationMode } from '../../shared/event/live-event.ts'
import type { VideoCodec } from '../frames/packet-source.ts'

/*
 * What a film of an event shows when. Pure: spans of pictures on the wall clock in, scenes on the film's frames out.
 */

export const FILM_RATE = 30
/** Ms without a picture that are bridged by the last one: a lost line, a presenter's reload. */
const BRIDGED = 1500
/** Sides of the film; the large one when a screen was shared that is worth it. */
const SIZES = { usual: { width: 1280, height: 720 }, large: { width: 1920, height: 1080 } } as const
const MOST_TILES = 9
const MOST_BESIDE = 4

/** A picture of one shape and codec that a stream shows without a break. */
export interface Span {
  stream: string
  /** Wall clock, ms since 1970. */
  from: number
  until: number
  codec: VideoCodec | null
  width: number
  height: number
}

export interface Place {
  stream: string
  x: number
  y: number
  width: number
  height: number
}

/** What the stage was set to from a moment on. */
export interface StageTurn {
  /** Wall clock, ms since 1970. */
  at: number
  mode: PresentationMode
  /** A picture of the page that was shown; null for none. */
  slide: string | null
}

export interface SlidePlace {
  picture: string
  x: number
  y: number
  width: number
  height: number
}

export interface Scene {
  /** First frame of the film, and how many. */
  from: number
  frames: number
  /** Behind the streams. */
  slide: SlidePlace | null
  /** From back to front; none is black. */
  places: Place[]
}

export interface FilmPlan {
  width: number
  height: number
  frames: number
  scenes: Scene[]
}

/** Joins spans of the same stream, shape and codec that follow each other closely. Gives them by stream and time. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.from - b.from))
  const joined: Span[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    const near = last?.stream === span.stream && span.from - last.until <= BRIDGED
    if (near && isAlike(last, span)) last.until = Math.max(last.until, span.until)
    else if (near) {
      last.until = span.from
      joined.push({ ...span })
    } else joined.push({ ...span })
  }
  return joined.filter(({ from, until }) => until > from)
}

// One file holds one codec, whatever the size of the picture.
const isAlike = (one: Span, other: Span): boolean =>
  one.codec === other.codec && one.width === other.width && one.height === other.height

/**
 * The film from `since` to `until` (ms since 1970): a new scene wherever a picture appears, goes or changes its shape. With
 * turns of the stage it shows the slides and stands as the room did, without them the streams alone.
 */
export function planFilm(
  spans: readonly Span[],
  { since, until }: { since: number; until: number },
  turns: readonly StageTurn[] = [],
): FilmPlan {
  const joined = joinSpans(spans)
  const isLarge =
    turns.some(({ slide }) => slide !== null) || joined.some(({ stream, height }) => isScreen(stream) && height > 800)
  const size = isLarge ? SIZES.large : SIZES.usual
  const frameOf = (at: number) => Math.round(((at - since) * FILM_RATE) / 1000)
  const frames = Math.max(1, frameOf(until))
  const inFilm = (at: number) => Math.min(frames, Math.max(0, frameOf(at)))
  const framed = joined.map((span) => ({ stream: span.stream, first: inFilm(span.from), behind: inFilm(span.until) }))
  const turned = turns.map((turn) => ({ ...turn, first: inFilm(turn.at) })).sort((a, b) => a.first - b.first)
  const changes = [...framed.flatMap(({ first, behind }) => [first, behind]), ...turned.map(({ first }) => first)]
  const cuts = [...new Set([0, frames, ...changes])].sort((a, b) => a - b)
  const scenes = cuts.slice(0, -1).map((from, index) => {
    const there = framed.filter(({ first, behind }) => first <= from && behind > from)
    const byAge = there.sort((a, b) => a.first - b.first).map(({ stream }) => stream)
    const turn = turned.findLast(({ first }) => first <= from)
    const layout = turn ? layOutStage(byAge, turn, size) : { slide: null, places: layOut(byAge, size) }
    return { from, frames: (cuts[index + 1] ?? frames) - from, ...layout }
  })
  return { ...size, frames, scenes }
}

export const isScreen = (stream: string): boolean => stream.endsWith('-screen')

/** Where streams stand, the one that is there longest first: a screen fills the film, cameras stand in its corner. */
export function layOut(streams: readonly string[], { width, height }: { width: number; height: number }): Place[] {
  const whole = { x: 0, y: 0, width, height }
  const screen = streams.filter(isScreen).at(-1)
  const cameras = streams.filter((stream) => !isScreen(stream))
  if (screen) return [{ stream: screen, ...whole }, ...beside(cameras.slice(0, MOST_BESIDE), width, height)]
  return tiles(cameras.slice(0, MOST_TILES), width, height)
}

interface Size {
  width: number
  height: number
}

/** Share of the width that the content has beside people. */
const CONTENT = 0.78

/**
 * Where slides and streams stand as the room shows them in a mode (layoutOf of the room's page): somebody's screen takes the
 * place of the slides, and a mode without content shows the people.
 */
export function layOutStage(
  streams: readonly string[],
  { mode, slide }: Pick<StageTurn, 'mode' | 'slide'>,
  size: Size,
): Pick<Scene, 'slide' | 'places'> {
  const screen = mode === 'broadcast' ? undefined : streams.filter(isScreen).at(-1)
  const faces = [
    ...streams.filter((one) => !isScreen(one)),
    ...streams.filter((one) => isScreen(one) && one !== screen),
  ]
  if (mode === 'broadcast' || (!screen && !slide)) {
    return { slide: null, places: tiles(faces.slice(0, MOST_TILES), size.width, size.height) }
  }
  const asStrip = mode === 'presentationAndBroadcast' && faces.length > 0
  const area = { x: 0, y: 0, width: asStrip ? even(size.width * CONTENT) : size.width, height: size.height }
  const content = screen ? [{ stream: screen, ...area }] : []
  const people = asStrip
    ? strip(faces.slice(0, MOST_BESIDE), area.width, size)
    : mode === 'preview'
      ? beside(faces.slice(0, MOST_BESIDE), size.width, size.height)
      : []
  return { slide: slide && !screen ? { picture: slide, ...area } : null, places: [...content, ...people] }
}

// One under the other in the middle of what is left at the right.
function strip(faces: readonly string[], left: number, { width, height }: Size): Place[] {
  const wide = even(width - left)
  const high = Math.min(even((wide * 9) / 16), even(height / faces.length))
  const top = even((height - faces.length * high) / 2)
  return faces.map((stream, nth) => ({ stream, x: left, y: top + nth * high, width: wide, height: high }))
}

// A fifth of the width each, one over the other from the lower right corner.
function beside(cameras: readonly string[], width: number, height: number): Place[] {
  const size = { width: even(width / 5), height: even(height / 5) }
  const gap = even(width / 64)
  return cameras.map((stream, nth) => ({
    stream,
    x: width - size.width - gap,
    y: height - (nth + 1) * (size.height + gap),
    ...size,
  }))
}

function tiles(cameras: readonly string[], width: number, height: number): Place[] {
  const across = Math.ceil(Math.sqrt(cameras.length))
  const down = Math.ceil(cameras.length / Math.max(1, across))
  const size = { width: even(width / across), height: even(height / across) }
  const top = even((height - down * size.height) / 2)
  return cameras.map((stream, nth) => {
    const row = Math.floor(nth / across)
    const inRow = Math.min(across, cameras.length - row * across)
    const left = even((width - inRow * size.width) / 2)
    return { stream, x: left + (nth % across) * size.width, y: top + row * size.height, ...size }
  })
}

const even = (side: number): number => Math.floor(side / 2) * 2
