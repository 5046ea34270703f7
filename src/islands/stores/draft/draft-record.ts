/** What the device keeps while the server doesn't have it. Times are milliseconds since 1970. */
export interface DraftRecord<T> {
  value: T
  baseVersion: number
  /** The server's text of that version. */
  base?: T
  /** Texts that were sent without an answer. */
  unsure?: T[]
  /** Taken in place of another's text, which the server must keep in its history. */
  chosen?: boolean
  changedAt: number
  /** What the list of drafts shows: what it is, and the page that goes on with it. */
  title: string
  href: string
}

/** A record with the place that it lies in. */
export interface KeptText<T> {
  slot: string
  record: DraftRecord<T>
}

/**
 * What one tab keeps of one text. Each tab has a place of its own, so that two tabs with the same text never write over
 * each other; what a tab leaves behind when it dies is found by the next one.
 */
export interface DraftVault<T> {
  /** What tabs that are gone have left of this text, newest first. */
  left(): Promise<KeptText<T>[]>
  write(record: DraftRecord<T>): Promise<void>
  remove(): Promise<void>
  /** Forgets what `left` gave, unless it has changed since. */
  drop(kept: KeptText<T>): Promise<void>
  /** Keeps a text for the person's list of drafts only; no tab takes it up again. */
  setAside(record: DraftRecord<T>): Promise<void>
  /** The tab is done with this text: what it still keeps may be found by others. */
  close(): void
}

export interface DraftClock {
  now(): number
  /** Runs once after so many milliseconds; answers a way to call it off. */
  after(milliseconds: number, run: () => void): () => void
}
