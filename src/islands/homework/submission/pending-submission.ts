import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* Submissions that the server has not confirmed yet; they survive closing the tab. */

const storageKey = (owner: string, taskId: string): string => `homework/send ${owner} ${taskId}`

/** Stores that an attempt is to be submitted as soon as possible. */
export const rememberPending = (owner: string, taskId: string, attempt: number): void =>
  deviceStorage.setItem(storageKey(owner, taskId), String(attempt))

export const forgetPending = (owner: string, taskId: string): void =>
  deviceStorage.removeItem(storageKey(owner, taskId))

/** Whether this attempt is to be submitted. */
export const isPending = (owner: string, taskId: string, attempt: number): boolean =>
  deviceStorage.getItem(storageKey(owner, taskId)) === String(attempt)
