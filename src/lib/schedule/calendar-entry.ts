import {
  type CalendarEntry,
  formatCalendarFile,
  googleCalendarUrl,
  outlookCalendarUrl,
} from '#lib/core/calendar/calendar.ts'
import { addressOf } from '#lib/core/config/config.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ScheduleItem } from '#lib/core/shared/event/schedule-item.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { getScheduleItem } from './schedule.ts'
import type { ScheduleItemKey } from './schema.ts'

/** The reader of a calendar file: the host of its links, and the zone of its times. */
export type CalendarReader = Pick<Actor, 'subdomain' | 'tenantName' | 'timeZone' | 'accountType'>

/** Identifies an item in calendars: the same in the file of the item and in the feed of each member. */
const itemUid = (item: Pick<ScheduleItem, 'kind' | 'id'>): string => `${item.kind}-${item.id}`

/** An item as an entry of a calendar. */
export function calendarEntryOf(reader: CalendarReader, item: ScheduleItem): CalendarEntry {
  const { kind, id, title, context, startAt, endAt, sequence } = item
  const host = reader.accountType === 'ACCOUNT_TYPE_STUDENT' ? 'go' : reader.subdomain
  const query = new URLSearchParams({ day: localDay(startAt, reader.timeZone), item: `${kind}:${id}` })
  return {
    uid: itemUid(item),
    sequence,
    startAt,
    durationMinutes: endAt ? Math.max(0, Math.round((endAt.getTime() - startAt.getTime()) / MINUTE_MS)) : 0,
    timeZone: reader.timeZone,
    title,
    text: context ?? '',
    href: addressOf(host, item.href ?? `/schedule?${query}`),
    organizer: reader.tenantName,
  }
}

/** URLs at which web calendars offer to add the item. */
export function itemLinks(reader: CalendarReader, item: ScheduleItem): { google: string; outlook: string } {
  const entry = calendarEntryOf(reader, item)
  return { google: googleCalendarUrl(entry), outlook: outlookCalendarUrl(entry) }
}

/** The calendar file of an item that the actor sees. Refuses with not_found. */
export async function readItemFile(actor: Actor, key: ScheduleItemKey): Promise<string> {
  const item = await getScheduleItem(actor, key)
  return formatCalendarFile(calendarEntryOf(actor, item), item.isCanceled ? 'CANCEL' : 'PUBLISH')
}
