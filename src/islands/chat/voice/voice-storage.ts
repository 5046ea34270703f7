import { openDatabase } from '#islands/stores/safe-database.ts'

/* Recordings that wait in the offline queue: they are no JSON, hence they are stored apart from its messages. */

const recordings = openDatabase<Blob>('kafedra-chat-voice', 'recordings')
const keyOf = (owner: string, messageId: string): string => `${owner} ${messageId}`

/** Stores the recording of a message; false: only in the memory of this page. */
export const storeVoice = (owner: string, messageId: string, voice: Blob): Promise<boolean> =>
  recordings.put(keyOf(owner, messageId), voice)

export const findVoice = (owner: string, messageId: string): Promise<Blob | undefined> =>
  recordings.get(keyOf(owner, messageId))

export const removeVoice = (owner: string, messageId: string): Promise<void> =>
  recordings.remove(keyOf(owner, messageId))
