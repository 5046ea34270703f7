import { z } from 'zod'

/**
 * Why a calendar could not be read: see `fetchPublicText`; `calendar_format` is a text that is no calendar, and
 * `calendar_failed` an error of the program, which is logged.
 */
export const CALENDAR_ERRORS = [
  'calendar_not_web',
  'calendar_private',
  'calendar_silent',
  'calendar_refused',
  'calendar_too_large',
  'calendar_redirects',
  'calendar_format',
  'calendar_failed',
] as const
export type CalendarError = (typeof CALENDAR_ERRORS)[number]

/** Calendar programs give addresses with the scheme `webcal`, which means HTTPS. */
const CalendarAddress = z
  .string()
  .trim()
  .min(1, 'required')
  .max(2000)
  .transform((address) => address.replace(/^webcals?:\/\//i, 'https://'))
  .refine((address) => /^https?:\/\//i.test(address) && URL.canParse(address), 'calendar_not_web')

export const SaveBusyCalendar = z.object({ address: CalendarAddress })
export type SaveBusyCalendar = z.output<typeof SaveBusyCalendar>
