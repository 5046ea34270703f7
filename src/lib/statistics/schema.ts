import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { WORKSHOP_TYPES, type WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()

/** URL segment of each event type. */
export const TYPE_SEGMENTS = { webinar: 'webinar', autoWebinar: 'auto-webinar', masterclass: 'masterclass' } as const

/** Type of a URL segment, or null. */
export function parseTypeSegment(segment: string | undefined): WorkshopType | null {
  return WORKSHOP_TYPES.find((type) => TYPE_SEGMENTS[type] === segment) ?? null
}

export const ListStatistics = z.object({
  type: z.enum(['all', ...WORKSHOP_TYPES]).default('all'),
  search: textLine(100).default(''),
  cursor: Cursor,
})
export type ListStatistics = z.output<typeof ListStatistics>

export const StatisticsInput = z.object({ workshopId: id, sessionId: id.optional() })
export type StatisticsInput = z.input<typeof StatisticsInput>

/** Filters of the table of viewers. */
export const VIEWER_FILTERS = ['all', 'here', 'clicked', 'sawOnly', 'leftEarly'] as const

export const ListViewers = z.object({
  sessionId: id,
  show: z.enum(VIEWER_FILTERS).default('all'),
  buttonId: id.optional(),
  order: z.enum(['joined', 'watched']).default('joined'),
  search: textLine(100).default(''),
  cursor: Cursor,
})
export type ListViewers = z.output<typeof ListViewers>

/** A range of a session in minutes since its start, both inclusive. */
export const FindMoments = z.object({
  sessionId: id,
  from: z.coerce.number().int().min(-1440).max(20_160).optional(),
  to: z.coerce.number().int().min(-1440).max(20_160).optional(),
  search: textLine(100).default(''),
  cursor: Cursor,
})
export type FindMoments = z.output<typeof FindMoments>
