import { expect } from 'vitest'
import type { RefusalCode } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import type { AccessRule } from '#lib/course/schema.ts'
import { createCourse } from '../parsed/course.ts'
import { addLesson } from '../parsed/course-outline.ts'

export const DAY_MS = 86_400_000

/** An instant a number of milliseconds from now. */
export const instantAt = (offsetMs: number): string => new Date(Date.now() + offsetMs).toISOString()

/** A published course of two lessons. */
export async function publishedCourse(owner: Actor): Promise<{ courseId: string; lessonIds: string[] }> {
  const { courseId } = await createCourse(owner, { title: 'Групи' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const text = { type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }
  const lessonIds: string[] = []
  for (const number of [1, 2]) {
    const blocks = { type: 'doc' as const, content: [text] }
    lessonIds.push((await addLesson(owner, { moduleId, title: `Урок ${number}`, blocks })).lessonId)
  }
  await publishCourse(owner, { courseId })
  return { courseId, lessonIds }
}

/** Sets when a lesson opens. */
export async function changeLesson(
  owner: Actor,
  courseId: string,
  lessonId: string,
  availability: AccessRule,
): Promise<void> {
  await changeLessons(owner, { courseId, lessonIds: [lessonId], change: { availability } })
}

/** Expects a refusal with a code and, where given, a reason of the form. */
export async function expectRefusal(action: Promise<unknown>, code: RefusalCode, reason?: string): Promise<void> {
  const details = reason ? { details: { fields: { form: [reason] } } } : {}
  await expect(action).rejects.toMatchObject({ code, ...details })
}
