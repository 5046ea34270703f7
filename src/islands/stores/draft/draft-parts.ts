import type { DraftClock, DraftVault } from './draft-record.ts'

/** The server's text and the version that names it: a counter or a digest, so versions are equal or not. */
export interface ServerText<T> {
  version: number
  value: T
  /** Who wrote it, where the server says so. */
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
  | { kind: 'localOnly'; because: LocalReason; message: string }
  | { kind: 'conflict'; base: T | undefined; mine: T; theirs: T; theirVersion: number; by?: string | undefined }

/** What stands where two people changed the same place: the one text, the other, or one after the other. */
export type Choice = 'mine' | 'theirs' | 'both'

export interface Three<T> {
  /** The text that both began with. */
  base: T
  mine: T
  theirs: T
}

export interface DraftParts<T> {
  title: string
  href: string
  /** The server's text and version as the page was drawn. */
  value: T
  version: number
  /**
   * Sends the text. `leaving` asks for a request that outlives the page; `base` is the server's text of `baseVersion`;
   * `chosen` says that the person took it in place of another's.
   */
  save(value: T, baseVersion: number, leaving: boolean, more: { base: T; chosen: boolean }): Promise<SaveOutcome<T>>
  /** Both changes in one text; null where they meet in one place and nobody has chosen. */
  merge?: ((texts: Three<T>, choice?: Choice) => T | null) | undefined
  vault: DraftVault<T>
  clock: DraftClock
  same?: ((a: T, b: T) => boolean) | undefined
  /** Called after every change of text or state. */
  changed?: () => void
  /** Called when another's changes came into the text by themselves. */
  merged?: ((by: string | undefined) => void) | undefined
}
