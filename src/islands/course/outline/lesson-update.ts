import { atom } from 'nanostores'

/** A saved change of a lesson in its editor, for its row in the outline. */
export interface LessonUpdate {
  lessonId: string
  title?: string
  words: number
}

export const $lessonUpdate = atom<LessonUpdate | null>(null)
