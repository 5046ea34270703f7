import type { PresentationMode } from '../../shared/event/live-event.ts'
import type { VideoCodec } from '../frames/packet-source.ts'

/* Plans the scenes of the recording of an event. Pure: spans of video in wall-clock time in, scenes in frames out. */

export const FRAME_RATE = 30
/** Gaps up to this length show the last frame: a connection failure or a reload of the presenter. */
const MAX_GAP_MS = 1500
/** Frame sizes; the large one for slides or a shared screen of high resolution. */
const FRAME_SIZES = { usual: { width: 1280, height: 720 }, large: { width: 1920, height: 1080 } } as const
/** Frame size of a preliminary video, which is encoded while the event runs. */
export const DRAFT_FRAME_SIZE = { width: 854, height: 480 } as const
const MAX_TILES = 9
const MAX_OVERLAYS = 4

/** Continuous video of one stream with one size and codec. */
export interface TimeSpan {
  stream: string
  /** Wall clock, ms since 1970. */
  from: number
  until: number
  codec: VideoCodec | null
  width: number
  height: number
}

export interface VideoArea {
  stream: string
  x: number
  y: number
  width: number
  height: number
}

/** State of the stage from an instant on. */
export interface StageChange {
  /** Wall clock, ms since 1970. */
  changedAt: number
  mode: PresentationMode
  /** Image of the slide that was shown; null for none. */
  slide: string | null
}

export interface SlideArea {
  imagePath: string
  x: number
  y: number
  width: number
  height: number
}

export interface RecordingScene {
  /** First frame of the video, and how many. */
  firstFrame: number
  frameCount: number
  /** Drawn behind the streams. */
  slide: SlideArea | null
  /** From back to front; empty means black. */
  areas: VideoArea[]
}

export interface CompositionPlan {
  width: number
  height: number
  frameCount: number
  scenes: RecordingScene[]
}

/** Joins spans of the same stream, size and codec with short gaps. Returns them by stream and time. */
function joinSpans(spans: readonly TimeSpan[]): TimeSpan[] {
  const sorted = [...spans].sort((a, b) => (a.stream < b.stream ? -1 : a.stream > b.stream ? 1 : a.from - b.from))
  const joined: TimeSpan[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    const isClose = last?.stream === span.stream && span.from - last.until <= MAX_GAP_MS
    if (isClose && isSameFormat(last, span)) last.until = Math.max(last.until, span.until)
    else if (isClose) {
      last.until = span.from
      joined.push({ ...span })
    } else joined.push({ ...span })
  }
  return joined.filter(({ from, until }) => until > from)
}

// A cut file can hold one codec only.
const isSameFormat = (stream: TimeSpan, other: TimeSpan): boolean =>
  stream.codec === other.codec && stream.width === other.width && stream.height === other.height

/**
 * Plans the video from `since` to `until` (ms since 1970): a new scene whenever a stream starts, ends or changes its
 * format. With stage changes it shows slides in the layout of the room, without them only the streams. The size of the
 * frame follows from the content unless it is given.
 */
export function planComposition(
  spans: readonly TimeSpan[],
  { since, until }: { since: number; until: number },
  stageChanges: readonly StageChange[] = [],
  fixedSize: Size | null = null,
): CompositionPlan {
  const joined = joinSpans(spans)
  const isLarge =
    stageChanges.some(({ slide }) => slide !== null) ||
    joined.some(({ stream, height }) => isScreen(stream) && height > 800)
  const size = fixedSize ?? (isLarge ? FRAME_SIZES.large : FRAME_SIZES.usual)
  const frameOf = (at: number) => Math.round(((at - since) * FRAME_RATE) / 1000)
  const frameCount = Math.max(1, frameOf(until))
  const clampFrame = (at: number) => Math.min(frameCount, Math.max(0, frameOf(at)))
  const spansInFrames = joined.map((span) => ({
    stream: span.stream,
    first: clampFrame(span.from),
    end: clampFrame(span.until),
  }))
  const changesInFrames = stageChanges
    .map((stageChange) => ({ ...stageChange, first: clampFrame(stageChange.changedAt) }))
    .sort((a, b) => a.first - b.first)
  const boundaries = [
    ...spansInFrames.flatMap(({ first, end }) => [first, end]),
    ...changesInFrames.map(({ first }) => first),
  ]
  const cuts = [...new Set([0, frameCount, ...boundaries])].sort((a, b) => a - b)
  const scenes = cuts.slice(0, -1).map((firstFrame, index) => {
    const activeSpans = spansInFrames.filter(({ first, end }) => first <= firstFrame && end > firstFrame)
    const activeStreams = activeSpans.sort((a, b) => a.first - b.first).map(({ stream }) => stream)
    const stageChange = changesInFrames.findLast(({ first }) => first <= firstFrame)
    const layout = stageChange
      ? layOutStage(activeStreams, stageChange, size)
      : { slide: null, areas: layOutStreams(activeStreams, size) }
    return { firstFrame, frameCount: (cuts[index + 1] ?? frameCount) - firstFrame, ...layout }
  })
  return { ...size, frameCount, scenes }
}

const isScreen = (stream: string): boolean => stream.endsWith('-screen')

/** Areas of streams, ordered by start: a screen fills the frame with cameras in the corner; cameras alone are tiled. */
export function layOutStreams(
  streams: readonly string[],
  { width, height }: { width: number; height: number },
): VideoArea[] {
  const fullFrame = { x: 0, y: 0, width, height }
  const screen = streams.filter(isScreen).at(-1)
  const cameras = streams.filter((stream) => !isScreen(stream))
  if (screen)
    return [{ stream: screen, ...fullFrame }, ...layOutOverlays(cameras.slice(0, MAX_OVERLAYS), width, height)]
  return layOutTiles(cameras.slice(0, MAX_TILES), width, height)
}

interface Size {
  width: number
  height: number
}

/** Share of the width for the content next to a strip of cameras. */
const CONTENT_WIDTH_SHARE = 0.78

/**
 * Areas of slides and streams in the layout of the room for a mode (layoutOf of the room page). A shared screen
 * replaces the slides; without content the cameras are tiled.
 */
export function layOutStage(
  streams: readonly string[],
  { mode, slide }: Pick<StageChange, 'mode' | 'slide'>,
  size: Size,
): Pick<RecordingScene, 'slide' | 'areas'> {
  const screen = mode === 'broadcast' ? undefined : streams.filter(isScreen).at(-1)
  const peopleStreams = [
    ...streams.filter((stream) => !isScreen(stream)),
    ...streams.filter((stream) => isScreen(stream) && stream !== screen),
  ]
  if (mode === 'broadcast' || (!screen && !slide)) {
    return { slide: null, areas: layOutTiles(peopleStreams.slice(0, MAX_TILES), size.width, size.height) }
  }
  const hasStrip = mode === 'presentationAndBroadcast' && peopleStreams.length > 0
  const area = {
    x: 0,
    y: 0,
    width: hasStrip ? roundToEven(size.width * CONTENT_WIDTH_SHARE) : size.width,
    height: size.height,
  }
  const content = screen ? [{ stream: screen, ...area }] : []
  const peopleAreas = hasStrip
    ? layOutStrip(peopleStreams.slice(0, MAX_OVERLAYS), area.width, size)
    : mode === 'preview'
      ? layOutOverlays(peopleStreams.slice(0, MAX_OVERLAYS), size.width, size.height)
      : []
  return { slide: slide && !screen ? { imagePath: slide, ...area } : null, areas: [...content, ...peopleAreas] }
}

// A column of cameras, centered vertically, right of the content.
function layOutStrip(streams: readonly string[], left: number, { width, height }: Size): VideoArea[] {
  const wide = roundToEven(width - left)
  const high = Math.min(roundToEven((wide * 9) / 16), roundToEven(height / streams.length))
  const top = roundToEven((height - streams.length * high) / 2)
  return streams.map((stream, nth) => ({ stream, x: left, y: top + nth * high, width: wide, height: high }))
}

// A fifth of the width each, stacked upwards from the lower right corner.
function layOutOverlays(cameras: readonly string[], width: number, height: number): VideoArea[] {
  const size = { width: roundToEven(width / 5), height: roundToEven(height / 5) }
  const gap = roundToEven(width / 64)
  return cameras.map((stream, nth) => ({
    stream,
    x: width - size.width - gap,
    y: height - (nth + 1) * (size.height + gap),
    ...size,
  }))
}

function layOutTiles(cameras: readonly string[], width: number, height: number): VideoArea[] {
  const across = Math.ceil(Math.sqrt(cameras.length))
  const down = Math.ceil(cameras.length / Math.max(1, across))
  const size = { width: roundToEven(width / across), height: roundToEven(height / across) }
  const top = roundToEven((height - down * size.height) / 2)
  return cameras.map((stream, nth) => {
    const row = Math.floor(nth / across)
    const inRow = Math.min(across, cameras.length - row * across)
    const left = roundToEven((width - inRow * size.width) / 2)
    return { stream, x: left + (nth % across) * size.width, y: top + row * size.height, ...size }
  })
}

const roundToEven = (side: number): number => Math.floor(side / 2) * 2
