import type { PresentationMode, RoomRole } from '#lib/core/shared/event/live-event.ts'
import { canUseStreams } from '#lib/meeting/stage/media-rules.ts'
import type { StagePlace } from '#lib/meeting/stage/rules.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

export interface StageLayoutInput {
  mode: PresentationMode
  onAir: readonly LiveStream[]
  hasSlides: boolean
  /** Whether a video plays in place of the presenters. */
  hasVideo: boolean
}

/** Layout of the stage: `content` is the large picture next to or behind the presenters. */
export interface StageLayout {
  content: 'slides' | 'screen' | null
  /** Where presenters are shown: in a grid, in a strip next to the content, in its corner, or not at all. */
  people: 'grid' | 'strip' | 'corner' | 'heard'
  /** The shared screen that is shown as content. */
  screen: LiveStream | null
  /** Streams of the presenters, in order. */
  tiles: LiveStream[]
}

/**
 * Computes the layout of the streams for a presentation mode: every stream is in it once. An encoder is shown as a camera. A shared screen replaces the slides. A mode without content
 * falls back to the presenters, a mode without presenters to the content.
 */
export function computeLayout({ mode, onAir, hasSlides, hasVideo }: StageLayoutInput): StageLayout {
  const screens = onAir.filter(({ kind }) => kind === 'screen')
  const screen = mode === 'broadcast' ? null : (screens.at(-1) ?? null)
  // Cameras and encoders. A kind that is added later is shown too.
  const presenters = onAir.filter(({ kind }) => kind !== 'screen')
  const tiles = [...presenters, ...screens.filter((stream) => stream !== screen)]
  const content = mode === 'broadcast' ? null : screen ? 'screen' : hasSlides ? 'slides' : null
  if (!content) return { content, people: 'grid', screen, tiles }
  if (tiles.length === 0 && !hasVideo) return { content, people: 'heard', screen, tiles }
  const people = mode === 'presentation' ? 'heard' : mode === 'preview' ? 'corner' : 'strip'
  return { content, people, screen, tiles }
}

/** Whether a participant receives the streams: viewers after the start, staff and stage guests also before it. */
export const canSeeStreams = (role: RoomRole, place: StagePlace, phase: RoomState['phase']): boolean =>
  canUseStreams({ role, isOnStage: place === 'on', isBarred: false }, phase, 'play').allow

/** Returns the number of columns that makes 16:9 pictures in a box as large as possible. */
export function countColumns(count: number, box: { width: number; height: number }): number {
  let best = { columns: 1, width: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const width = Math.min(box.width / columns, (box.height / rows) * (16 / 9))
    if (width > best.width + 0.5) best = { columns, width }
  }
  return best.columns
}

/** Returns the largest size, in CSS pixels, of a page with this ratio (width to height) in a box. */
export function fitToBox(ratio: number, box: { width: number; height: number }): { width: number; height: number } {
  const width = Math.max(0, Math.min(box.width, box.height * ratio))
  return { width: Math.floor(width), height: Math.floor(width / ratio) }
}
