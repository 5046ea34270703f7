import { open } from 'node:fs/promises'
import { UPLOAD_PART_BYTES } from '../../shared/upload-part.ts'
import { requireWholeSize, type UploadedPart } from '../store.ts'
import { type Bucket, missingAsNull } from './s3-bucket.ts'

/** Part size of a multipart copy. */
const COPY_PART_BYTES = 1024 ** 3

export async function startS3Parts({ client, sdk, locate }: Bucket, key: string): Promise<string> {
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(locate(key)))
  if (!UploadId) throw new Error('S3 gave no upload')
  return UploadId
}

/** Null when there is no such upload. */
export async function listS3Parts(
  { client, sdk, locate }: Bucket,
  key: string,
  uploadId: string,
): Promise<UploadedPart[] | null> {
  const parts: UploadedPart[] = []
  // The SDK's paginator continues while there is a marker, and some services send one with the last page too.
  for (let after: string | undefined; ; ) {
    const about = { ...locate(key), UploadId: uploadId, ...(after && { PartNumberMarker: after }) }
    const page = await missingAsNull(client.send(new sdk.ListPartsCommand(about)))
    if (!page) return null
    for (const { PartNumber = 0, Size = 0, ETag = '' } of page.Parts ?? []) {
      parts.push({ number: PartNumber, size: Size, etag: ETag.replaceAll('"', '') })
    }
    after = page.NextPartNumberMarker
    if (!page.IsTruncated || !after) return parts
  }
}

/** Joins the parts. Throws when one is missing. */
export async function finishS3Parts(
  bucket: Bucket,
  key: string,
  uploadId: string,
  parts: UploadedPart[],
): Promise<void> {
  requireWholeSize(parts, UPLOAD_PART_BYTES)
  await completeUpload(bucket, key, uploadId, parts)
}

export async function abortS3Parts({ client, sdk, locate }: Bucket, key: string, uploadId: string): Promise<void> {
  await missingAsNull(client.send(new sdk.AbortMultipartUploadCommand({ ...locate(key), UploadId: uploadId })))
}

/** Uploads an object that is too large for one request; each part can be retried. */
export async function putInParts(
  bucket: Bucket,
  key: string,
  from: Uint8Array | { path: string },
  size: number,
): Promise<void> {
  const { client, sdk, locate } = bucket
  const source = await openRanges(from)
  try {
    await uploadInParts(bucket, key, size, UPLOAD_PART_BYTES, async (uploadId, number, start, length) => {
      const bytes = await source.read(start, length)
      const about = { ...locate(key), UploadId: uploadId, PartNumber: number, Body: bytes, ContentLength: length }
      return (await client.send(new sdk.UploadPartCommand(about))).ETag
    })
  } finally {
    await source.close()
  }
}

/** Copies an object that is too large for one request. */
export function copyInParts(bucket: Bucket, from: string, to: string, size: number): Promise<void> {
  const { client, sdk, locate } = bucket
  const { Bucket: name, Key } = locate(from)
  return uploadInParts(bucket, to, size, COPY_PART_BYTES, async (uploadId, number, start, length) => {
    const range = { CopySource: `${name}/${Key}`, CopySourceRange: `bytes=${start}-${start + length - 1}` }
    const about = { ...locate(to), UploadId: uploadId, PartNumber: number, ...range }
    return (await client.send(new sdk.UploadPartCopyCommand(about))).CopyPartResult?.ETag
  })
}

async function openRanges(from: Uint8Array | { path: string }) {
  if (from instanceof Uint8Array) {
    const read = (start: number, length: number) => Promise.resolve(from.subarray(start, start + length))
    return { read, close: () => Promise.resolve() }
  }
  const file = await open(from.path)
  const read = async (start: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
    if (bytesRead < length) throw new Error('the file is shorter than it was')
    return buffer
  }
  return { read, close: () => file.close() }
}

async function uploadInParts(
  bucket: Bucket,
  key: string,
  size: number,
  partBytes: number,
  sendPart: (uploadId: string, number: number, start: number, length: number) => Promise<string | undefined>,
): Promise<void> {
  const uploadId = await startS3Parts(bucket, key)
  try {
    const parts: UploadedPart[] = []
    for (let start = 0, number = 1; start < size; start += partBytes, number++) {
      const length = Math.min(partBytes, size - start)
      parts.push({ number, size: length, etag: (await sendPart(uploadId, number, start, length)) ?? '' })
    }
    await completeUpload(bucket, key, uploadId, parts)
  } catch (error) {
    await abortS3Parts(bucket, key, uploadId)
    throw error
  }
}

async function completeUpload(
  { client, sdk, locate }: Bucket,
  key: string,
  uploadId: string,
  parts: UploadedPart[],
): Promise<void> {
  const list = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
  const about = { ...locate(key), UploadId: uploadId, MultipartUpload: { Parts: list } }
  await client.send(new sdk.CompleteMultipartUploadCommand(about))
}
