import type { Channels } from '#lib/core/live/endpoint.ts'
import { publish } from '#lib/core/live/live.ts'
import type { FileEvent } from '#lib/core/shared/stored-file.ts'
import { canManageFiles } from './rules.ts'

/** What people who look at the storage are told. The rest is asked for. */
export interface StorageEvent {
  /** The file, the upload or the folder; null when many changed at once. */
  fileId: string | null
  event: FileEvent | 'changed'
  /** The folder in which something came, went or moved. */
  folderId?: string | null
  /** Percent. */
  progress?: number
  /** In the encoder's queue, from 1. */
  queuePosition?: number
}

/** `storage` tells those who manage files what happens to them. */
export const storageChannels: Channels = { storage: { canSubscribe: (actor) => canManageFiles(actor) } }

/** Tells the storage's watchers. The last statement of the surrounding transaction. */
export const publishStorageEvent = (event: StorageEvent): Promise<void> => publish('storage', event)
