import { atom } from 'nanostores'
import type { OutlineLesson } from '#lib/course/outline/schema.ts'

/** What the editor of a lesson has made of it, for its row in the outline. */
export interface LessonNews {
  lessonId: string
  title?: string
  state?: OutlineLesson['state']
}

export const $lessonNews = atom<LessonNews | null>(null)

export const tellOutline = (news: LessonNews): void => $lessonNews.set(news)
