import { and, eq, ne, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { moduleOfLesson, outlineOrder } from '../access/enrolment.ts'
import { requireStudent } from '../permission.ts'
import { courseModule, lesson } from '../table.ts'
import type { SaveNote } from './schema.ts'
import { accessGrant, lessonNote, lessonProgress } from './table.ts'

/**
 * Saves a student's note of a lesson they have opened. `version` is the base version, 0 for a new note. Refuses with
 * not_found, or conflict with the newer `text` and `version` in the data; never overwrites silently.
 */
export async function saveNote(actor: Actor, input: SaveNote): Promise<{ version: number; updatedAt: Date }> {
  requireStudent(actor)
  const { lessonId, version, text } = input
  const { membershipId: studentId } = actor
  const ownNote = and(eq(lessonNote.studentId, studentId), eq(lessonNote.lessonId, lessonId))
  const returnedFields = { version: lessonNote.version, updatedAt: lessonNote.updatedAt }
  return inTenant(actor, async (tx) => {
    const visited = tx
      .select({
        tenantId: lessonProgress.tenantId,
        studentId: lessonProgress.studentId,
        lessonId: lessonProgress.lessonId,
        text: sql<string>`${text}`.as('text'),
        version: sql<number>`1`.as('version'),
        updatedAt: sql<Date>`now()`.as('updated_at'),
      })
      .from(lessonProgress)
      .where(and(eq(lessonProgress.studentId, studentId), eq(lessonProgress.lessonId, lessonId)))
    const [saved] =
      version === 0
        ? await tx.insert(lessonNote).select(visited).onConflictDoNothing().returning(returnedFields)
        : await tx
            .update(lessonNote)
            .set({ text, version: version + 1, updatedAt: new Date() })
            .where(and(ownNote, eq(lessonNote.version, version)))
            .returning(returnedFields)
    if (saved) return saved
    const [current] = await tx
      .select({ ...returnedFields, text: lessonNote.text })
      .from(lessonNote)
      .where(ownNote)
    if (!current) throw new Refusal('not_found')
    // A repeated request: the first response was lost.
    if (current.text === text) return { version: current.version, updatedAt: current.updatedAt }
    throw new Refusal('conflict', { data: { version: current.version, text: current.text } })
  })
}

/**
 * All notes of the student in a course, in outline order; also after access has ended. Refuses with not_found for a
 * course that was never open to the student.
 */
export async function listLessonNotes(actor: Actor, input: { courseId: string }) {
  requireStudent(actor)
  const { courseId } = input
  const { membershipId: studentId } = actor
  return inTenant(actor, async (tx) => {
    const notes = await tx
      .select({
        lessonId: lesson.id,
        lesson: sql<string>`coalesce(${lesson.publishedTitle}, ${lesson.title})`,
        module: courseModule.title,
        text: lessonNote.text,
        updatedAt: lessonNote.updatedAt,
      })
      .from(lessonNote)
      .innerJoin(lesson, and(eq(lesson.tenantId, lessonNote.tenantId), eq(lesson.id, lessonNote.lessonId)))
      .innerJoin(courseModule, moduleOfLesson)
      .where(and(eq(lessonNote.studentId, studentId), eq(lesson.courseId, courseId), ne(lessonNote.text, '')))
      .orderBy(...outlineOrder)
    if (notes.length > 0) return notes
    const ownGrant = and(eq(accessGrant.studentId, studentId), eq(accessGrant.courseId, courseId))
    const [granted] = await tx.select({ id: accessGrant.id }).from(accessGrant).where(ownGrant).limit(1)
    if (!granted) throw new Refusal('not_found')
    return notes
  })
}
