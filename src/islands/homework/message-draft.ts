import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* The unsent message stays on this device, in local storage. */

/** Key of a draft: member, task and student. */
export const messageDraftKey = (owner: string, taskId: string, studentId = ''): string =>
  `${owner} ${taskId} ${studentId}`

const storageKey = (key: string): string => `homework/talk ${key}`

export const readMessageDraft = (key: string): string => deviceStorage.getItem(storageKey(key)) ?? ''

export function saveMessageDraft(key: string, text: string): void {
  if (text === '') deviceStorage.removeItem(storageKey(key))
  else deviceStorage.setItem(storageKey(key), text)
}
