import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership, user } from '#lib/user/table.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { requireStudentRow } from './card.ts'
import { lockStudent } from './profile.ts'
import type { AddNote, ListNotes, NoteId, UpdateNote } from './schema.ts'
import { studentNote } from './table.ts'

const PAGE_SIZE = 30

export interface NoteView {
  id: string
  text: string
  revision: number
  author: string
  createdAt: Date
  updatedAt: Date
}

/** Notes of the team about a student, newest first. Refuses with forbidden, invalid (cursor). */
export function listStudentNotes(actor: Actor, input: ListNotes): Promise<{ items: NoteView[]; next: string | null }> {
  requireStudentAdministrator(actor)
  const { studentId, cursor } = input
  const after = readCursor(InstantKey, cursor)
  return inTenant(actor, async (tx) => {
    const notes = tx
      .select({
        id: studentNote.id,
        text: studentNote.text,
        revision: studentNote.revision,
        author: personName(user),
        createdAt: studentNote.createdAt,
        updatedAt: studentNote.updatedAt,
        at: microsecondsOf(studentNote.createdAt),
      })
      .from(studentNote)
      .innerJoin(
        membership,
        and(eq(membership.tenantId, studentNote.tenantId), eq(membership.id, studentNote.authorId)),
      )
      .innerJoin(user, eq(user.id, membership.userId))
      .where(
        and(
          eq(studentNote.studentId, studentId),
          isNull(studentNote.deletedAt),
          after
            ? sql`(${studentNote.createdAt}, ${studentNote.id}) <
              ${rowOfKey(after)}`
            : undefined,
        ),
      )
      .orderBy(desc(studentNote.createdAt), desc(studentNote.id))
      .limit(PAGE_SIZE + 1)
    const [rows] = await Promise.all([notes, requireStudentRow(tx, studentId)])
    const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined
    return {
      items: rows.slice(0, PAGE_SIZE).map(({ at: _, ...note }) => note),
      next: last ? writeCursor(InstantKey, last) : null,
    }
  })
}

/** Adds a note; a second call with the same id adds nothing. Refuses with forbidden, plan_inactive, not_found. */
export function addNote(actor: Actor, input: AddNote): Promise<NoteId> {
  const { studentId, noteId, text } = input
  return inTenant(actor, async (tx) => {
    await lockStudent(tx, actor, studentId)
    await tx
      .insert(studentNote)
      .values({ tenantId: actor.tenantId, id: noteId, studentId, authorId: actor.membershipId, text })
      .onConflictDoNothing()
    return { noteId }
  })
}

/**
 * Changes a note. Refuses with forbidden, plan_inactive, not_found, and with conflict (`data.current`) when it has
 * changed since.
 */
export function updateNote(actor: Actor, input: UpdateNote): Promise<{ revision: number }> {
  const { noteId, revision, text } = input
  return inTenant(actor, async (tx) => {
    const current = await lockNote(tx, actor, noteId)
    if (current.text === text) return { revision: current.revision }
    if (current.revision !== revision) {
      throw new Refusal('conflict', { data: { current: { text: current.text, revision: current.revision } } })
    }
    const changed = { text, revision: revision + 1, updatedAt: new Date() }
    await tx.update(studentNote).set(changed).where(eq(studentNote.id, noteId))
    return { revision: changed.revision }
  })
}

/** Deletes a note; `restoreNote` restores it. Refuses with forbidden, plan_inactive, not_found. */
export const deleteNote = (actor: Actor, input: NoteId): Promise<void> => setDeleted(actor, input, new Date())

/** Restores a deleted note. Refuses as deleteNote. */
export const restoreNote = (actor: Actor, input: NoteId): Promise<void> => setDeleted(actor, input, null)

function setDeleted(actor: Actor, input: NoteId, deletedAt: Date | null): Promise<void> {
  const { noteId } = input
  return inTenant(actor, async (tx) => {
    await lockNote(tx, actor, noteId, { isDeletedToo: true })
    await tx.update(studentNote).set({ deletedAt }).where(eq(studentNote.id, noteId))
  })
}

async function lockNote(tx: Tx, actor: Actor, noteId: string, { isDeletedToo = false } = {}) {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  const [note] = await tx
    .select({ text: studentNote.text, revision: studentNote.revision })
    .from(studentNote)
    .where(and(eq(studentNote.id, noteId), isDeletedToo ? undefined : isNull(studentNote.deletedAt)))
    .for('update')
  if (!note) throw new Refusal('not_found')
  return note
}
