import { atom } from 'nanostores'
import type { OutlineLesson } from '#lib/course/outline/schema.ts'

/** A change of a lesson in its editor, for its row in the outline. */
export interface LessonUpdate {
  lessonId: string
  title?: string
  state?: OutlineLesson['state']
}

export const $lessonUpdate = atom<LessonUpdate | null>(null)
