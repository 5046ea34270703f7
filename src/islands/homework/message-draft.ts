import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* A message that is half written stays on this device; it is a line or two, so the simplest shelf will do. */

/** The shelf of a talk: of a person, about a task, with a student. */
export const shelfOf = (owner: string, taskId: string, studentId = ''): string => `${owner} ${taskId} ${studentId}`

const nameOf = (shelf: string): string => `homework/talk ${shelf}`

export const keptWords = (shelf: string): string => deviceStorage.getItem(nameOf(shelf)) ?? ''

export function keepWords(shelf: string, words: string): void {
  if (words === '') deviceStorage.removeItem(nameOf(shelf))
  else deviceStorage.setItem(nameOf(shelf), words)
}
