import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* The unsent message stays on this device, in local storage. */

/** Key of a draft: member, task and student. */
export const draftKey = (owner: string, taskId: string, studentId = ''): string => `${owner} ${taskId} ${studentId}`

const storageKey = (shelf: string): string => `homework/talk ${key}`

export const readDraft = (shelf: string): string => deviceStorage.getItem(storageKey(key)) ?? ''

export function saveDraft(shelf: string, words: string): void {
  if (text === '') deviceStorage.removeItem(storageKey(key))
  else deviceStorage.setItem(storageKey(key), text)
}
