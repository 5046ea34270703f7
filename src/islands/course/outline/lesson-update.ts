import { atom } from 'nanostores'
import type { OutlineLesson } from '#lib/course/outline/schema.ts'

/** What the editor of a lesson has made of it, for its row in the outline. */
export interface LessonUpdate {
  lessonId: string
  title?: string
  state?: OutlineLesson['state']
}

export const $lessonUpdate = atom<LessonUpdate | null>(null)

export const updateOutlineLesson = (news: LessonUpdate): void => $lessonUpdate.set(news)
