import { z } from 'zod'
import { NOTIFICATION_CHANNELS, NOTIFICATION_FREQUENCIES, TOPIC_NAMES } from '../kind-schema.ts'

/** Local time of a day, `22:00`. */
const LocalTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const DEFAULT_DAILY_CAP = 10
export const MAX_DAILY_CAP = 50

/** Quiet hours from one local time to another, in the time zone of the person; they may include midnight. */
export const QuietTime = z.object({ from: LocalTime, until: LocalTime }).refine(({ from, until }) => from !== until, {
  path: ['until'],
})
export type QuietTime = z.output<typeof QuietTime>

/** A frequency that a person has chosen; without one, the default of the topic applies. */
const Preference = z.object({
  topic: z.enum(TOPIC_NAMES),
  channel: z.enum(NOTIFICATION_CHANNELS),
  frequency: z.enum(NOTIFICATION_FREQUENCIES),
})

export const SaveNotificationSettings = z.object({
  preferences: z.array(Preference).max(200),
  quiet: QuietTime.nullable(),
  /** The largest number of emails a day; what is beyond it waits for the daily email. */
  dailyCap: z.coerce.number().int().min(1).max(MAX_DAILY_CAP),
})
export type SaveNotificationSettings = z.output<typeof SaveNotificationSettings>

export const NotificationSettings = z.object({
  preferences: z.array(Preference),
  quiet: z.object({ from: z.string(), until: z.string() }).nullable(),
  dailyCap: z.number(),
  /** Channels that the person has connected. */
  hasPush: z.boolean(),
  hasTelegram: z.boolean(),
  telegram: z.object({
    /** The installation has a bot. */
    isAvailable: z.boolean(),
    /** The connected account, as Telegram displays it. */
    name: z.string().nullable(),
    /** The person has blocked the bot. */
    isBlocked: z.boolean(),
  }),
})
export type NotificationSettings = z.output<typeof NotificationSettings>

export const MUTE_SUBJECTS = ['course', 'group', 'conversation'] as const

/** A course, group or conversation that a person can mute. */
export const MuteSubject = z.object({ type: z.enum(MUTE_SUBJECTS), id: z.uuid() })
export type MuteSubject = z.output<typeof MuteSubject>

/** Without `until`, it stays muted until it is unmuted. */
export const MuteInput = MuteSubject.extend({ until: z.iso.datetime({ offset: true }).optional() })
export type MuteInput = z.output<typeof MuteInput>

export const UnsubscribeForm = z.object({ topics: z.array(z.enum(TOPIC_NAMES)).max(100) })
