import { createDeviceDraftStore } from './device-draft-store.ts'

interface TextDraftOptions<T> {
  /** The membership's id. */
  owner: string
  key: string
  /** The title of the draft in the list of drafts. */
  title: string
  /** The page with the fields; by default the current one. */
  href?: string
  /** Receives the input events of the fields. */
  fields: EventTarget
  /** What the fields contain; null when there is nothing to store. */
  readValue(): T | null
  /** Shows the draft of a closed tab, unless the fields contain something newer. */
  showDraft(value: T): void
}

/**
 * Stores what is typed into the fields of a plain form on this device, so that a closed tab, a lost connection or an expired
 * session loses nothing. Returns a function that ends it. Islands use `useDraft`.
 */
export function bindTextDraft<T>(options: TextDraftOptions<T>): () => void {
  const { owner, key, title, href = location.pathname + location.search, fields, readValue, showDraft } = options
  const store = createDeviceDraftStore<T>(owner, key)
  const write = () => {
    const value = readValue()
    return value === null ? store.remove() : store.write({ title, href, value, baseVersion: 0, changedAt: Date.now() })
  }
  const restore = async () => {
    const drafts = await store.listAbandoned()
    for (const { record } of drafts) showDraft(record.value)
    await write()
    for (const draft of drafts) await store.removeAbandoned(draft)
  }
  const handleInput = () => void write()
  void restore()
  fields.addEventListener('input', handleInput)
  return () => {
    fields.removeEventListener('input', handleInput)
    store.close()
  }
}
