import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* A message that is half written stays on this device; it is a line or two, so the simplest shelf will do. */

/** The shelf of a talk: of a person, about a task, with a student. */
export const draftKey = (owner: string, taskId: string, studentId = ''): string => `${owner} ${taskId} ${studentId}`

const storageKey = (shelf: string): string => `homework/talk ${shelf}`

export const readDraft = (shelf: string): string => deviceStorage.getItem(storageKey(shelf)) ?? ''

export function saveDraft(shelf: string, words: string): void {
  if (words === '') deviceStorage.removeItem(storageKey(shelf))
  else deviceStorage.setItem(storageKey(shelf), words)
}
