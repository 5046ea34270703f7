import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* What the person has asked to be handed in and the school has not heard yet: it survives the tab. */

const storageKey = (owner: string, taskId: string): string => `homework/send ${owner} ${taskId}`

/** Remembers that an attempt is to be handed in as soon as that can be done. */
export const rememberPending = (owner: string, taskId: string, attempt: number): void =>
  deviceStorage.setItem(storageKey(owner, taskId), String(attempt))

export const forgetPending = (owner: string, taskId: string): void =>
  deviceStorage.removeItem(storageKey(owner, taskId))

/** Whether this attempt waits to be handed in. */
export const isPending = (owner: string, taskId: string, attempt: number): boolean =>
  deviceStorage.getItem(storageKey(owner, taskId)) === String(attempt)
