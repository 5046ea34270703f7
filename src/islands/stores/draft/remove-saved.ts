import { createDeviceDraftStore } from './device-draft-store.ts'

/** Removes the drafts of texts that the server has saved. Other tabs keep theirs. */
export async function removeSavedDrafts(owner: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const store = createDeviceDraftStore(owner, key)
    for (const draft of await store.listAbandoned()) await store.removeAbandoned(draft)
    store.close()
  }
}
