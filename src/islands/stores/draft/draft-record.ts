/** A text that is stored on the device until the server has it. Times are milliseconds since 1970. */
export interface DraftRecord<T> {
  value: T
  baseVersion: number
  /** The server's text of `baseVersion`. */
  base?: T
  /** Texts that were sent without a response. */
  unsure?: T[]
  /** The user preferred this text to another author's, which the server must keep in its revisions. */
  chosen?: boolean
  changedAt: number
  /** Title and page of the draft, for the list of drafts. */
  title: string
  href: string
}

/** A draft of a tab that is closed, with the slot in which it is stored. */
export interface AbandonedDraft<T> {
  slot: string
  record: DraftRecord<T>
}

/**
 * Stores the draft of one text for one tab. Each tab has its own slot, so two tabs with the same text never overwrite each
 * other; the draft of a closed tab is found by the next one.
 */
export interface DraftStore<T> {
  /** Drafts of this text by closed tabs, newest first. */
  listAbandoned(): Promise<AbandonedDraft<T>[]>
  write(record: DraftRecord<T>): Promise<void>
  remove(): Promise<void>
  /** Removes a draft of `listAbandoned`, unless it has changed since. */
  removeAbandoned(draft: AbandonedDraft<T>): Promise<void>
  /** Stores a text for the list of drafts only; no tab restores it. */
  archive(record: DraftRecord<T>): Promise<void>
  /** Releases the slot of this tab: other tabs may restore its draft. */
  close(): void
}

export interface DraftClock {
  now(): number
  /** Runs once after a delay; returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}
