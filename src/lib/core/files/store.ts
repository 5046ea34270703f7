import type { Readable, Writable } from 'node:stream'

export interface UploadedPart {
  /** From 1. */
  number: number
  size: number
  etag: string
}

export interface StoredObject {
  key: string
  size: number
}

interface ReadOptions {
  /** First and last byte, both included. */
  range?: { start: number; end: number }
}

/**
 * Object storage. A key is `<tenant>/<file>` for an original and `<tenant>/<file>.made/<path>` for a derived file; both
 * ids are validated, and no path comes from user input. Both backends pass the same tests.
 */
export interface ObjectStore {
  /** Stores bytes or a local file atomically and durably. */
  put(key: string, from: Uint8Array | { path: string }): Promise<void>
  /** Null when there is no such object. `tag` is an ETag without quotes: it changes with the content. */
  stat(key: string): Promise<{ size: number; tag: string } | null>
  /** Null when there is nothing. */
  read(key: string, options?: ReadOptions): Promise<Readable | null>
  /**
   * Writes the bytes of a range, `end` included, to a stream with backpressure, and leaves the stream open. False when
   * there is no such object; returns without an error when the stream is destroyed.
   */
  pipeTo(key: string, range: { start: number; end: number }, into: Writable): Promise<boolean>
  /** A local path of the object, valid until `done` is called: the stored file itself, or a copy from S3. */
  openLocalCopy(key: string, scratch: string): Promise<{ path: string; done(): Promise<void> } | null>
  copy(from: string, to: string): Promise<void>
  /** Nothing happens when there is nothing. */
  remove(key: string): Promise<void>
  /** Removes the original and all derived files. */
  removeFile(tenantId: string, fileId: string): Promise<void>
  /** All objects whose key starts with the prefix, unordered. */
  list(prefix: string): AsyncIterable<StoredObject>

  /** Starts a multipart upload and returns its id. */
  startParts(key: string): Promise<string>
  /**
   * A URL, absolute or on the same host, to which a browser may PUT exactly `size` bytes as that part until it expires.
   * `holder` is who may use it (see url-token.ts); S3 accepts anyone with the URL.
   */
  signPart(key: string, part: PartToSign): Promise<string>
  /** Completely received parts, by number; empty for an unknown upload. */
  listParts(key: string, uploadId: string): Promise<UploadedPart[]>
  /** Joins all parts into the object. Throws when a part is missing. */
  finishParts(key: string, uploadId: string): Promise<void>
  /** Removes the upload and its parts, if any. */
  abortParts(key: string, uploadId: string): Promise<void>

  /** Uploads without a write since `before`. Empty for S3, which removes them by a lifecycle rule. */
  listStaleUploads(before: Date): AsyncIterable<{ tenantId: string; uploadId: string }>

  /** A signed URL for GET with Range, or null when the media endpoint serves the object itself. */
  signRead(key: string, answer: { type: string; disposition: string; seconds: number }): Promise<string | null>
}

export interface PartToSign {
  uploadId: string
  number: number
  size: number
  holder: string
  ttlSeconds: number
}

/** Total size of all parts; each but the last has `partBytes`. Throws when a part is missing or has a wrong size. */
export function requireWholeSize(parts: readonly UploadedPart[], partBytes: number): number {
  if (parts.length === 0) throw new Error('no part has come')
  for (const [index, { number, size }] of parts.entries()) {
    if (number !== index + 1) throw new Error(`part ${index + 1} is missing`)
    if (size > partBytes || (number < parts.length && size < partBytes))
      throw new Error(`part ${number} is of another size`)
  }
  return (parts.length - 1) * partBytes + (parts.at(-1)?.size ?? 0)
}
