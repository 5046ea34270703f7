import type { Channels } from '#lib/core/live/endpoint.ts'
import { publish } from '#lib/core/live/live.ts'
import type { FileEvent } from '#lib/core/shared/stored-file.ts'
import { canManageFiles } from './rules.ts'

/** Sent on the channel `storage`. Pages fetch the rest. */
export interface StorageEvent {
  /** The file, upload or folder; null when several changed at once. */
  fileId: string | null
  event: FileEvent | 'changed'
  /** The folder whose content changed. */
  folderId?: string | null
  /** Percent. */
  progress?: number
  /** Position in the encoder's queue, from 1. */
  queuePosition?: number
}

/** `storage` sends changes of files to team members who manage files. */
export const storageChannels: Channels = { storage: { canSubscribe: (actor) => canManageFiles(actor) } }

/** Publishes an event to open pages of the storage. The last statement of the surrounding transaction. */
export const publishStorageEvent = (event: StorageEvent): Promise<void> => publish('storage', event)
