import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import type { WorkshopSettings } from '#lib/workshop/schema.ts'
import { readEventStaff } from '#lib/workshop/settings/staff.ts'
import { workshop } from '#lib/workshop/table.ts'
import type { MeetingSummary } from './room-schema.ts'

export type EventRow = typeof workshop.$inferSelect

/** An event that is not deleted. Refuses with not_found. */
export async function readEvent(tx: Tx, workshopId: string): Promise<EventRow> {
  const [row] = await tx
    .select()
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), isNull(workshop.deletedAt)))
  if (!row) throw new Refusal('not_found')
  return row
}

/** The event of a participant with a seat: also one that is in no list. Refuses with not_found. */
export async function readSeatEvent(tx: Tx, workshopId: string): Promise<EventRow> {
  const [row] = await tx
    .select()
    .from(workshop)
    .where(and(eq(workshop.id, workshopId), or(isNull(workshop.deletedAt), eq(workshop.publication, 'published'))))
  if (!row) throw new Refusal('not_found')
  return row
}

/** Public summary of an event; `startAt` of the session in question. */
export async function readMeetingSummary(tx: Tx, event: EventRow, startAt: Date | null): Promise<MeetingSummary> {
  const { tenantId, settings } = event
  const { guests } = settings
  const pictures = await readPictureUrls(tx, tenantId, collectFileIds(event))
  const picture = (id: string | null): string | null => (id && pictures.get(id)) ?? null
  const staff = (await readEventStaff(tx, event.id)).filter(({ role }) => role !== 'moderator')
  const speakers = new Map(staff.map((member) => [member.memberId, member]))
  for (const member of staff) if (member.role === 'host') speakers.set(member.memberId, member)
  return {
    id: event.id,
    type: event.type,
    title: event.title,
    description: event.description,
    startAt: startAt?.toISOString() ?? null,
    timeZone: event.timeZone,
    plannedMinutes: event.plannedMinutes,
    language: event.language,
    cover: picture(event.coverFileId),
    splash: {
      before: { text: settings.splash.before.text, image: picture(settings.splash.before.fileId) },
      after: { text: settings.splash.after.text, image: picture(settings.splash.after.fileId) },
      lost: { text: settings.splash.lost.text, image: picture(settings.splash.lost.fileId) },
    },
    speakers: [
      ...[...speakers.values()].map(({ name, role }) => ({ name, about: '', host: role === 'host', photo: null })),
      ...guests.map(({ name, about, fileId }) => ({ name, about, host: false, photo: picture(fileId) })),
    ],
    recorded: settings.record,
    captions: resolveCaptionMode(settings),
  }
}

function collectFileIds({ coverFileId, settings: { splash, guests } }: EventRow): string[] {
  const named = [coverFileId, splash.before.fileId, splash.after.fileId, splash.lost.fileId]
  return [...named, ...guests.map(({ fileId }) => fileId)].filter((id) => id !== null)
}

async function readPictureUrls(tx: Tx, tenantId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { id, mime, width, height, widths } = file
  const rows = await tx
    .select({ id, mime, width, height, widths })
    .from(file)
    .where(and(inArray(id, ids), isNull(file.deletedAt)))
  return new Map(rows.map((row) => [row.id, pictureFor({ tenantId, viewer: ANYONE }, row).src]))
}

const resolveCaptionMode = ({ captions }: WorkshopSettings): MeetingSummary['captions'] =>
  captions === 'automatic' && !config.ai ? 'typed' : captions
