import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SaveScheduleNote, ScheduleNoteId } from './schema.ts'
import { scheduleNote } from './table.ts'

export interface ScheduleNote {
  id: string
  title: string
  text: string
  startAt: Date
  minutes: number | null
  version: number
}

/** A note of the actor. Refuses with not_found. */
export async function getScheduleNote(actor: Actor, { noteId }: ScheduleNoteId): Promise<ScheduleNote> {
  const { id, title, text, startAt, minutes, version } = scheduleNote
  const [row] = await inTenant(actor, (tx) =>
    tx
      .select({ id, title, text, startAt, minutes, version })
      .from(scheduleNote)
      .where(and(isOwnNote(actor, noteId), isNull(scheduleNote.deletedAt))),
  )
  if (!row) throw new Refusal('not_found')
  return row
}

/**
 * Adds a note, or changes one of the actor's notes. Adding a note with the same id again changes nothing. Refuses with
 * not_found, and with conflict when the note was changed since `version`.
 */
export async function saveScheduleNote(actor: Actor, input: SaveScheduleNote): Promise<ScheduleNoteId> {
  const { noteId, version, ...values } = input
  const { tenantId, membershipId: memberId } = actor
  const fields = { ...values, startAt: new Date(values.startAt) }
  await inTenant(actor, async (tx) => {
    if (version === null) {
      await tx
        .insert(scheduleNote)
        .values({ tenantId, id: noteId, memberId, ...fields })
        .onConflictDoNothing()
    }
    const [row] = await tx.select().from(scheduleNote).where(isOwnNote(actor, noteId)).for('update')
    if (!row || row.deletedAt) throw new Refusal('not_found')
    if (version === null || hasFields(row, fields)) return
    if (row.version !== version) throw new Refusal('conflict', { fields: { form: ['changed_meanwhile'] } })
    const isMoved = row.startAt.getTime() !== fields.startAt.getTime() || row.minutes !== fields.minutes
    await tx
      .update(scheduleNote)
      .set({
        ...fields,
        sequence: isMoved ? sql`${scheduleNote.sequence} + 1` : row.sequence,
        version: sql`${scheduleNote.version} + 1`,
        updatedAt: new Date(),
      })
      .where(isOwnNote(actor, noteId))
  })
  return { noteId }
}

/** Deletes a note of the actor; a second call changes nothing. Refuses with not_found. */
export async function deleteScheduleNote(actor: Actor, { noteId }: ScheduleNoteId): Promise<ScheduleNoteId> {
  return setDeleted(actor, noteId, new Date())
}

/** Restores a deleted note of the actor. Refuses with not_found. */
export async function restoreScheduleNote(actor: Actor, { noteId }: ScheduleNoteId): Promise<ScheduleNoteId> {
  return setDeleted(actor, noteId, null)
}

async function setDeleted(actor: Actor, noteId: string, deletedAt: Date | null): Promise<ScheduleNoteId> {
  const rows = await inTenant(actor, (tx) =>
    tx
      .update(scheduleNote)
      .set({ deletedAt, version: sql`${scheduleNote.version} + 1`, updatedAt: new Date() })
      .where(isOwnNote(actor, noteId))
      .returning({ id: scheduleNote.id }),
  )
  if (rows.length === 0) throw new Refusal('not_found')
  return { noteId }
}

const isOwnNote = ({ membershipId }: Actor, noteId: string) =>
  and(eq(scheduleNote.id, noteId), eq(scheduleNote.memberId, membershipId))

type NoteFields = Pick<ScheduleNote, 'title' | 'text' | 'startAt' | 'minutes'>

function hasFields(row: NoteFields, { title, text, startAt, minutes }: NoteFields): boolean {
  return (
    row.title === title && row.text === text && row.minutes === minutes && row.startAt.getTime() === startAt.getTime()
  )
}
