import { createStore, del, entries, get, set, type UseStore } from 'idb-keyval'
import type { DraftRecord, DraftVault } from './draft-core.ts'

/** A draft on this device, for the person's list of them. */
export interface KeptDraft {
  key: string
  title: string
  href: string
  changedAt: number
}

/**
 * This device's drafts of one person: they stay through sign-out and come back to the same person only.
 * `owner` is the membership's id.
 */
export function deviceVault<T>(owner: string): DraftVault<T> {
  return {
    read: (key) => get<DraftRecord<T>>(`${owner} ${key}`, shelf()),
    write: (key, record) => set(`${owner} ${key}`, record, shelf()),
    remove: (key) => del(`${owner} ${key}`, shelf()),
  }
}

/** The drafts of one person on this device, newest first. */
export async function listDrafts(owner: string): Promise<KeptDraft[]> {
  const all = await entries<string, DraftRecord<unknown>>(shelf())
  return all
    .filter(([key]) => key.startsWith(`${owner} `))
    .map(([key, { title, href, changedAt }]) => ({ key: key.slice(owner.length + 1), title, href, changedAt }))
    .sort((a, b) => b.changedAt - a.changedAt)
}

let store: UseStore | undefined

function shelf(): UseStore {
  store ??= createStore('kafedra-drafts', 'drafts')
  return store
}
