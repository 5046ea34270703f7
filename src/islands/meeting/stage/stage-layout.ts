import type { PresentationMode, RoomRole } from '#lib/core/shared/event/live-event.ts'
import { canUseStreams } from '#lib/meeting/stage/media-rules.ts'
import type { StagePlace } from '#lib/meeting/stage/rules.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

export interface LayoutInput {
  mode: PresentationMode
  onAir: readonly LiveStream[]
  /** Whether there are slides to show. */
  hasSlides: boolean
  /** A film plays in the place of people. */
  hasVideo: boolean
}

/** What stands where: `content` is the large picture beside or behind the people. */
export interface StageLayout {
  content: 'slides' | 'screen' | null
  /** How people are seen: in a grid, in a strip beside the content, in its corner, or only heard. */
  people: 'grid' | 'strip' | 'corner' | 'heard'
  /** Streams in the place of the content: somebody's screen. */
  screen: LiveStream | null
  /** Streams in the place of the people, in their order. */
  faces: LiveStream[]
}

/**
 * Where the streams of a session stand in each of the four modes. A shared screen takes the place of the slides; a mode
 * that has nothing large to show falls back to the people, one without people to the large picture.
 */
export function computeLayout({ mode, onAir, hasSlides, hasVideo }: LayoutInput): StageLayout {
  const screens = onAir.filter(({ kind }) => kind === 'screen')
  const cameras = onAir.filter(({ kind }) => kind === 'camera')
  const screen = mode === 'broadcast' ? null : (screens.at(-1) ?? null)
  const faces = [...cameras, ...screens.filter((one) => one !== screen)]
  const content = mode === 'broadcast' ? null : screen ? 'screen' : hasSlides ? 'slides' : null
  if (!content) return { content, people: 'grid', screen, faces }
  if (faces.length === 0 && !hasVideo) return { content, people: 'heard', screen, faces }
  const people = mode === 'presentation' ? 'heard' : mode === 'preview' ? 'corner' : 'strip'
  return { content, people, screen, faces }
}

/** Whether somebody is shown the streams of a room: viewers from the start on, staff and people on the stage before it. */
export const canSeeStreams = (role: RoomRole, place: StagePlace, phase: RoomState['phase']): boolean =>
  canUseStreams({ role, isOnStage: place === 'on', isBarred: false }, phase, 'play').allow

/** Columns of a grid of so many equal pictures of 16:9 in a box, so that they are as large as can be. */
export function countColumns(count: number, box: { width: number; height: number }): number {
  let best = { columns: 1, width: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const width = Math.min(box.width / columns, (box.height / rows) * (16 / 9))
    if (width > best.width + 0.5) best = { columns, width }
  }
  return best.columns
}

/** The size in which a page of this ratio (width to height) fits a box, in CSS pixels. */
export function fitToBox(ratio: number, box: { width: number; height: number }): { width: number; height: number } {
  const width = Math.max(0, Math.min(box.width, box.height * ratio))
  return { width: Math.floor(width), height: Math.floor(width / ratio) }
}

/** Seconds as a clock: 1:05, 1:02:03. Below zero it is 0:00. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
