import { z } from 'zod'
import { DAY_MINUTES } from '#lib/core/shared/time.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'

/** Minutes of a cell in the calendar of weekly hours. */
export const CELL_MINUTES = 30

const timeZone = z.string().max(64).refine(isTimeZone, 'unknown_time_zone')

/** A part of a day, in minutes since its midnight by the clock; `to` may be 1440, the end of the day. */
export const DayRange = z
  .object({ from: z.int32().min(0).max(DAY_MINUTES), to: z.int32().min(0).max(DAY_MINUTES) })
  .refine(({ from, to }) => from < to, 'end_before_start')
export type DayRange = z.output<typeof DayRange>

/** The hours of each weekday, Monday first. */
const Weekly = z.array(z.array(DayRange).max(24)).length(7)

/** Other hours on one day; without ranges the day is free of sessions. */
export const DateOverride = z.object({ date: z.iso.date(), ranges: z.array(DayRange).max(24) })
export type DateOverride = z.output<typeof DateOverride>

/** Days, both inclusive, on which the hours are in another zone. */
export const Travel = z
  .object({ from: z.iso.date(), to: z.iso.date(), timeZone })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'end_before_start' })
export type Travel = z.output<typeof Travel>

export const AvailabilitySettings = z.object({
  timeZone,
  weekly: Weekly,
  overrides: z.array(DateOverride).max(200).default([]),
  travels: z.array(Travel).max(20).default([]),
})
export type AvailabilitySettings = z.output<typeof AvailabilitySettings>

export const EMPTY_WEEK: readonly DayRange[][] = [[], [], [], [], [], [], []]

export const SaveAvailability = AvailabilitySettings.extend({ version: z.int32().min(0) })
export type SaveAvailability = z.output<typeof SaveAvailability>
