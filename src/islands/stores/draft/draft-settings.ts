import type { DraftClock, DraftStore } from './draft-record.ts'

/** The server's text and its version: a counter or a digest, so versions can only be compared for equality. */
export interface ServerText<T> {
  version: number
  value: T
  /** The author of the text, if the server returns one. */
  by?: string | undefined
}

export type SaveOutcome<T> =
  | { kind: 'saved'; version: number }
  | ({ kind: 'conflict' } & ServerText<T>)
  | { kind: 'signedOut' }
  | { kind: 'offline' }
  /** A fault of the server. */
  | { kind: 'failed' }
  | { kind: 'refused'; message: string }

export type LocalReason = 'offline' | 'failed' | 'signedOut' | 'refused' | 'storage'

export type DraftState<T> =
  | { kind: 'saved'; at: number | null }
  | { kind: 'saving' }
  | { kind: 'localOnly'; reason: LocalReason; message: string }
  | { kind: 'conflict'; base: T | undefined; mine: T; theirs: T; theirVersion: number; by?: string | undefined }

/** How a conflict is resolved: own text, the other author's text, or both concatenated. */
export type ConflictResolution = 'mine' | 'theirs' | 'both'

export interface MergeTexts<T> {
  /** The common base of both texts. */
  base: T
  mine: T
  theirs: T
}

export interface DraftSettings<T> {
  title: string
  href: string
  /** The server's text when the page was rendered. */
  value: T
  version: number
  /**
   * Sends the text. `leaving` requests keepalive, so that the request outlives the page; `base` is the server's text of
   * `baseVersion`; `chosen`: the user preferred this text to another author's.
   */
  save(value: T, baseVersion: number, leaving: boolean, more: { base: T; chosen: boolean }): Promise<SaveOutcome<T>>
  /** Merges both changes; null when they conflict and no resolution is given. */
  merge?: ((texts: MergeTexts<T>, choice?: ConflictResolution) => T | null) | undefined
  store: DraftStore<T>
  clock: DraftClock
  isSame?: ((a: T, b: T) => boolean) | undefined
  /** Called after every change of text or state. */
  onChange?: () => void
  /** Called after another author's changes were merged automatically. */
  onMerged?: ((by: string | undefined) => void) | undefined
}

export interface Draft<T> {
  value(): T
  state(): DraftState<T>
  /** The version of the server's text that this one is based on. */
  version(): number
  /** Restores the text that this device has stored; call it once. */
  restore(): Promise<void>
  type(value: T): void
  /** Sends immediately: on blur, when the page is hidden, when the network or the focus returns. */
  flush(leaving?: boolean): Promise<void>
  resolve(choice: ConflictResolution): Promise<void>
  /**
   * Reads the server's text and merges it, e.g. after another author has saved. A text that was read before an own save
   * ended may be older than that save, so it is read again. Rejects when `read` rejects.
   */
  refresh(read: () => Promise<ServerText<T>>): Promise<void>
  /** Resolves when everything typed is stored on the device. */
  whenStored(): Promise<void>
  close(): void
}
