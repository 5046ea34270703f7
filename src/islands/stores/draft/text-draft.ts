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
  /** The page follows a save: the newest draft is on the server. */
  wasSaved?: boolean
}

/**
 * Stores what is typed into the fields of a plain form on this device, so that a closed tab, a lost connection or an expired
 * session loses nothing. Returns a function that ends it. Islands use `useDraft`.
 */
export function bindTextDraft<T>(options: TextDraftOptions<T>): () => void {
  const {
    owner,
    key,
    title,
    href = location.pathname + location.search,
    fields,
    readValue,
    showDraft,
    wasSaved,
  } = options
  const store = createDeviceDraftStore<T>(owner, key)
  const write = () => {
    const value = readValue()
    return value === null ? store.remove() : store.write({ title, href, value, baseVersion: 0, changedAt: Date.now() })
  }
  const restore = async () => {
    const drafts = await store.listAbandoned()
    const saved = wasSaved ? drafts.shift() : undefined
    for (const { record } of drafts) showDraft(record.value)
    await write()
    const shown = JSON.stringify(readValue())
    for (const draft of drafts) {
      // A text that the fields do not show stays in the list of drafts.
      if (JSON.stringify(draft.record.value) !== shown) await store.archive(draft.record)
      await store.removeAbandoned(draft)
    }
    if (saved) await store.removeAbandoned(saved)
  }
  const handleInput = () => void write()
  void restore()
  fields.addEventListener('input', handleInput)
  return () => {
    fields.removeEventListener('input', handleInput)
    store.close()
  }
}
