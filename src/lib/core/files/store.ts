import type { Readable, Writable } from 'node:stream'

export interface Part {
  /** From 1. */
  number: number
  size: number
  etag: string
}

export interface StoredObject {
  key: string
  size: number
}

export interface ReadOptions {
  /** First and last byte, both included. */
  range?: { start: number; end: number }
}

/**
 * Where bytes lie. A key is `<tenant>/<file>` for an original and `<tenant>/<file>.made/<path>` for what was made of
 * it; both ids are checked, a path never comes from what somebody typed. Both backends behave alike; the same tests
 * run against both.
 */
export interface ObjectStore {
  /** Puts bytes or a file of the disk in place, whole or not at all. When it returns they survive a crash. */
  put(key: string, from: Uint8Array | { path: string }): Promise<void>
  /** Null when there is nothing. `tag` changes whenever the bytes do: an ETag without its quotes. */
  stat(key: string): Promise<{ size: number; tag: string } | null>
  /** Null when there is nothing. */
  read(key: string, options?: ReadOptions): Promise<Readable | null>
  /**
   * Writes bytes of the object, `end` included, to where they are taken, no faster than they are, and leaves it open.
   * False when there is nothing; ends quietly when the taker goes away.
   */
  pipeTo(key: string, range: { start: number; end: number }, into: Writable): Promise<boolean>
  /** A path where a program can read the object, valid until `done` is called: the object itself on the disk, a copy from S3. */
  openLocalCopy(key: string, scratch: string): Promise<{ path: string; done(): Promise<void> } | null>
  copy(from: string, to: string): Promise<void>
  /** Nothing happens when there is nothing. */
  remove(key: string): Promise<void>
  /** Removes the original and all that was made of it. */
  removeFile(tenantId: string, fileId: string): Promise<void>
  /** Every object whose key begins so, in no order. */
  list(prefix: string): AsyncIterable<StoredObject>

  /** Begins an upload in parts and gives its id. */
  startParts(key: string): Promise<string>
  /**
   * An address, absolute or on the same host, to which a browser may PUT exactly `size` bytes as that part until it expires.
   * `viewer` is who may (see ticket.ts); S3 cannot know and takes it from whoever has the address.
   */
  signPart(key: string, part: SignPart): Promise<string>
  /** Parts that have arrived whole, by number. Empty for an upload that is not there. */
  listParts(key: string, uploadId: string): Promise<Part[]>
  /** Joins all parts into the object. Refuses (throws Error) when a part is missing. */
  finishParts(key: string, uploadId: string): Promise<void>
  /** Forgets the upload and its parts; nothing happens when there is none. */
  abortParts(key: string, uploadId: string): Promise<void>

  /** Uploads in which nothing was written since then. A bucket forgets them by a rule of its own and lists none. */
  listStaleUploads(before: Date): AsyncIterable<{ tenantId: string; uploadId: string }>

  /** An address outside of this process that gives the object by GET with Range, or null where the media door streams it itself. */
  signRead(key: string, answer: { type: string; disposition: string; seconds: number }): Promise<string | null>
}

export interface SignPart {
  uploadId: string
  number: number
  size: number
  holder: string
  ttlSeconds: number
}

/** Bytes that the parts make when all are there, by number, each but the last of `step` bytes. Throws when one is missing. */
export function requireWholeSize(parts: readonly Part[], partBytes: number): number {
  if (parts.length === 0) throw new Error('no part has come')
  for (const [index, { number, size }] of parts.entries()) {
    if (number !== index + 1) throw new Error(`part ${index + 1} is missing`)
    if (size > partBytes || (number < parts.length && size < partBytes))
      throw new Error(`part ${number} is of another size`)
  }
  return (parts.length - 1) * partBytes + (parts.at(-1)?.size ?? 0)
}
