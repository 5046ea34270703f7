import { Refusal } from '../../http/refusal.ts'

/** Limits of an archive that was uploaded. */
export const ARCHIVE_LIMITS = {
  entries: 20_000,
  /** Total size of the content, in bytes. */
  bytes: 20 * 1024 ** 3,
  /** Size of one text that is read into memory, in bytes. */
  text: 32 * 1024 ** 2,
  /**
   * Unpacked size that is allowed for every archive, in bytes; above it the size of the archive is multiplied by
   * `ratio`.
   */
  smallBytes: 64 * 1024 ** 2,
  ratio: 200,
} as const

/**
 * The location of a file's bytes, which another process can read too: an entry of the ZIP, or an unpacked file on the
 * disk.
 */
export type ArchiveLocation = { entry: string } | { path: string }

/** An uploaded archive: its files by path, read one by one, never unpacked under their own names. */
export interface Archive {
  kind: 'zip' | 'tar'
  /** Paths of files as named in the archive. */
  names: readonly string[]
  /** The size that the archive declares, in bytes; reading more than that fails. */
  sizeOf(name: string): number
  /** A file's bytes; null when there is none. Refuses with too_large beyond ARCHIVE_LIMITS.text. */
  read(name: string): Promise<Buffer | null>
  /** Writes a file to a local path. False when the archive does not contain it. */
  extract(name: string, to: string): Promise<boolean>
  /** The location for `openArchiveFiles`; null when there is no such file. */
  locate(name: string): ArchiveLocation | null
  close(): void
}

/** The maximum unpacked size in bytes of an archive of this size. */
export const maxUnpackedBytes = (size: number): number =>
  Math.min(ARCHIVE_LIMITS.bytes, Math.max(ARCHIVE_LIMITS.smallBytes, size * ARCHIVE_LIMITS.ratio))

/** Whether a path remains inside the folder in which it would be unpacked, on every operating system. */
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
