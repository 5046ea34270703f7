import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { dayNumber, instantOf, instantOfDay, laterInstantOf, localDay, wallTimeOf } from '#lib/core/shared/time-zone.ts'
import {
  isTimeBound,
  NOTIFICATION_FREQUENCIES,
  NOTIFICATION_TOPICS,
  type NotificationChannel,
  type NotificationFrequency,
  type NotificationTopic,
} from '../kind-schema.ts'
import type { QuietTime } from './schema.ts'

/** The channels that leave the product. */
export type OutgoingChannel = Exclude<NotificationChannel, 'inApp'>

export interface DeliveryFacts {
  topic: NotificationTopic
  now: Date
  /** The person's IANA time zone. */
  zone: string
  /** What the person has chosen for the topic. */
  chosen: Partial<Record<NotificationChannel, NotificationFrequency>>
  quiet: QuietTime | null
  /** A course, group or conversation of the notification is muted. */
  isMuted: boolean
  /** Channels by which the person can be reached. */
  reachable: readonly OutgoingChannel[]
}

export interface PlannedDelivery {
  channel: OutgoingChannel
  frequency: Exclude<NotificationFrequency, 'off'>
  /** Not delivered before. */
  at: Date
}

export interface DeliveryPlan {
  /** `silent` is listed without counting as unread. */
  inApp: 'unread' | 'silent' | 'none'
  deliveries: PlannedDelivery[]
}

const DIGEST_TIME = '09:00'
// 1970-01-01 was a Thursday; weekly digests are delivered on Mondays.
const FIRST_MONDAY = 4

/** Decides by which channels and when a person learns of a notification. */
export function resolveDelivery(facts: DeliveryFacts): DeliveryPlan {
  const { topic, chosen, isMuted, reachable, now, zone, quiet } = facts
  const isListed = frequencyOf(topic, 'inApp', chosen.inApp) !== 'off'
  if (isMuted) return { inApp: isListed ? 'silent' : 'none', deliveries: [] }
  const deliveries = reachable.flatMap((channel) => {
    const frequency = frequencyOf(topic, channel, chosen[channel])
    if (frequency === 'off') return []
    const due = dueAt(frequency, now, zone)
    const isAtOnce = channel === 'email' && isTimeBound(topic)
    return [{ channel, frequency, at: isAtOnce ? due : endOfQuiet(due, zone, quiet) }]
  })
  return { inApp: isListed ? 'unread' : 'none', deliveries }
}

/** The frequencies that a person can choose for a channel of a topic. */
export function frequencyChoices(
  topic: NotificationTopic,
  channel: NotificationChannel,
): readonly NotificationFrequency[] {
  return channel === 'inApp' || isTimeBound(topic) ? ['immediate', 'off'] : NOTIFICATION_FREQUENCIES
}

/** The frequency of a channel: the person's choice, or the default of the topic. */
export function frequencyOf(
  topic: NotificationTopic,
  channel: NotificationChannel,
  chosen?: NotificationFrequency,
): NotificationFrequency {
  if (chosen) return chosen
  if (channel === 'inApp') return 'immediate'
  if (NOTIFICATION_TOPICS[topic].urgency === 'important') return 'immediate'
  return channel === 'email' ? 'daily' : 'off'
}

/** When a notification of this moment is delivered with a frequency, without regard to quiet hours. */
function dueAt(frequency: Exclude<NotificationFrequency, 'off'>, now: Date, zone: string): Date {
  if (frequency === 'immediate') return now
  if (frequency === 'hourly') return new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS)
  return frequency === 'daily' ? nextDailyDigest(now, zone) : nextWeeklyDigest(now, zone)
}

/** The next 09:00 in a time zone, later than `now`. */
export function nextDailyDigest(now: Date, zone: string): Date {
  const today = instantOf(localDay(now, zone), DIGEST_TIME, zone)
  return today > now ? today : instantOf(localDay(now, zone, 1), DIGEST_TIME, zone)
}

function nextWeeklyDigest(now: Date, zone: string): Date {
  const today = dayNumber(now, zone)
  const monday = today - ((((today - FIRST_MONDAY) % 7) + 7) % 7)
  const thisWeek = instantOfDay(monday, DIGEST_TIME, zone)
  return thisWeek > now ? thisWeek : instantOfDay(monday + 7, DIGEST_TIME, zone)
}

/**
 * The instant itself, or the end of the quiet hours in which it is. An end that a clock change skips is after the gap;
 * one that occurs twice is the first that is later than the instant.
 */
export function endOfQuiet(at: Date, zone: string, quiet: QuietTime | null): Date {
  if (!quiet) return at
  const minute = Math.floor((wallTimeOf(at, zone) % DAY_MS) / MINUTE_MS)
  const from = minutesOf(quiet.from)
  const until = minutesOf(quiet.until)
  const isOverMidnight = from > until
  const isQuiet = isOverMidnight ? minute >= from || minute < until : minute >= from && minute < until
  if (!isQuiet) return at
  const day = localDay(at, zone, isOverMidnight && minute >= from ? 1 : 0)
  const end = instantOf(day, quiet.until, zone)
  return end > at ? end : laterInstantOf(day, quiet.until, zone)
}

/** Whether another email may be sent on a day: the last one of the cap is reserved for the daily digest. */
export const isWithinDailyCap = (sentToday: number, dailyCap: number): boolean => sentToday < dailyCap - 1

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
