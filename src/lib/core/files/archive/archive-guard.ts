import { Refusal } from '../../http/refusal.ts'

/** What an archive from outside may be. */
export const ARCHIVE_LIMITS = {
  entries: 20_000,
  /** Bytes of all that is inside. */
  bytes: 20 * 1024 ** 3,
  /** Bytes of one text that is read into memory. */
  text: 32 * 1024 ** 2,
  /** So much may any archive unfold to; beyond it no more than so many times its own size. */
  smallBytes: 64 * 1024 ** 2,
  ratio: 200,
} as const

/** Where the bytes of an archive's file are read again, by another process too: in the ZIP, or unpacked on the disk. */
export type ArchiveLocation = { entry: string } | { path: string }

/** An archive that somebody sent: its files by path, read one by one, never unpacked under names of their own. */
export interface Archive {
  kind: 'zip' | 'tar'
  /** Paths of files, as they stand in the archive. */
  names: readonly string[]
  /** Bytes as the archive says; reading holds it to that. */
  sizeOf(name: string): number
  /** A file's bytes; null when there is none. Refuses with too_large beyond ARCHIVE_LIMITS.text. */
  read(name: string): Promise<Buffer | null>
  /** Writes a file to a path of ours. False when there is none. */
  extract(name: string, to: string): Promise<boolean>
  /** For `openPlaces`; null when there is no such file. */
  locate(name: string): ArchiveLocation | null
  close(): void
}

/** Bytes that an archive of this size may hold. */
export const maxUnpackedBytes = (size: number): number =>
  Math.min(ARCHIVE_LIMITS.bytes, Math.max(ARCHIVE_LIMITS.smallBytes, size * ARCHIVE_LIMITS.ratio))

/** Whether a path stays inside of where it would be unpacked, on every system. */
export const isContainedPath = (name: string): boolean =>
  name !== '' && name.length <= 1000 && !/^[/\\]|^[a-z]:|\0|\\|(^|\/)\.\.(\/|$)/i.test(name)

export type ArchiveFault =
  | 'archive_unknown'
  | 'archive_damaged'
  | 'archive_path'
  | 'archive_link'
  | 'archive_locked'
  | 'archive_bomb'
  | 'archive_many'

export const archiveRefusal = (fault: ArchiveFault): Refusal =>
  new Refusal('unprocessable', { fields: { file: [fault] } })
