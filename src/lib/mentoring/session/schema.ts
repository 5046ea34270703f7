import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { Goal } from '../booking/schema.ts'

const id = z.uuid()
export const MAX_GOALS = 10

/** The cursor of each list; without one, its first page. */
export const MentorOverviewQuery = z.object({ requests: Cursor, upcoming: Cursor, ended: Cursor, students: Cursor })
export type MentorOverviewQuery = z.output<typeof MentorOverviewQuery>
export const StudentOverviewQuery = z.object({ programs: Cursor, upcoming: Cursor, past: Cursor })
export type StudentOverviewQuery = z.output<typeof StudentOverviewQuery>

/** Periods of statistics in days before now. */
export const MENTORING_PERIODS = ['30', '90', '365'] as const

/** Without a period, of all time. */
export const MentoringStatisticsQuery = z.object({ period: z.enum(MENTORING_PERIODS).optional() })
export type MentoringStatisticsQuery = z.output<typeof MentoringStatisticsQuery>

export const SaveNotes = z.object({
  bookingId: id,
  version: z.int32().min(1),
  sharedNotes: multilineText(20_000),
  homework: multilineText(4000),
  goals: z.array(Goal).max(MAX_GOALS),
})
export type SaveNotes = z.output<typeof SaveNotes>

export const SavePrivateNotes = z.object({
  bookingId: id,
  version: z.int32().min(1),
  privateNotes: multilineText(20_000),
})
export type SavePrivateNotes = z.output<typeof SavePrivateNotes>

export const RateSession = z.object({
  bookingId: id,
  rating: z.int32().min(1).max(5),
  ratingText: multilineText(2000).default(''),
})
export type RateSession = z.output<typeof RateSession>
