import { z } from 'zod'

/** Who does not share something does not see it of others either. */
export const PresenceSettings = z.object({
  /** Others see whether the member is online or types. */
  sharesPresence: z.boolean(),
  /** Others see what the member has read in direct conversations. */
  sharesReading: z.boolean(),
})
export type PresenceSettings = z.output<typeof PresenceSettings>

/** The open conversation, of which the presence of the other participant is returned. */
export const ReportPresence = z.object({ conversationId: z.uuid().optional() })
export type ReportPresence = z.output<typeof ReportPresence>

export const PresenceReport = z.object({
  /** Null in other than direct conversations, and unless both participants share their presence. */
  other: z.object({ isOnline: z.boolean(), seenAt: z.date().nullable() }).nullable(),
})
export type PresenceReport = z.output<typeof PresenceReport>

/** Open pages report at this interval. */
export const PRESENCE_INTERVAL_MS = 30_000
/** A member is online for this time after a report: a single lost one changes nothing. */
export const ONLINE_MS = 75_000
