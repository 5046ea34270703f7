import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* What the person has asked to be handed in and the school has not heard yet: it survives the tab. */

const nameOf = (owner: string, taskId: string): string => `homework/send ${owner} ${taskId}`

/** Remembers that an attempt is to be handed in as soon as that can be done. */
export const remember = (owner: string, taskId: string, attempt: number): void =>
  deviceStorage.setItem(nameOf(owner, taskId), String(attempt))

export const forget = (owner: string, taskId: string): void => deviceStorage.removeItem(nameOf(owner, taskId))

/** Whether this attempt waits to be handed in. */
export const isWaiting = (owner: string, taskId: string, attempt: number): boolean =>
  deviceStorage.getItem(nameOf(owner, taskId)) === String(attempt)
