import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../db/id.ts'
import { UPLOAD_PART_BYTES } from '../../shared/upload-part.ts'
import { requireKey } from '../key.ts'
import type { ObjectStore, StoredObject } from '../store.ts'
import { createBucketOpener, missingAsNull, type S3Options } from './s3-bucket.ts'
import { abortS3Parts, copyInParts, finishS3Parts, listS3Parts, putInParts, startS3Parts } from './s3-parts.ts'

/** Maximum size of one S3 copy request. */
const MAX_COPY_BYTES = 5 * 1024 ** 3
const REMOVE_CONCURRENCY = 10

/** Stores objects in a bucket of any S3-compatible service; browsers get signed URLs. */
export function createS3Store(options: S3Options): ObjectStore {
  const bucket = createBucketOpener(options)

  async function getStats(key: string): Promise<{ size: number; tag: string } | null> {
    const { client, sdk, locate } = await bucket()
    const response = await missingAsNull(client.send(new sdk.HeadObjectCommand(locate(key))))
    return response && { size: response.ContentLength ?? 0, tag: (response.ETag ?? '').replaceAll('"', '') }
  }

  async function* list(prefix: string): AsyncGenerator<StoredObject> {
    const { client, sdk } = await bucket()
    const pages = sdk.paginateListObjectsV2({ client }, { Bucket: options.bucket, Prefix: prefix })
    for await (const page of pages) {
      for (const { Key = '', Size = 0 } of page.Contents ?? []) yield { key: Key, size: Size }
    }
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable | null> {
    const { client, sdk, locate: at } = await bucket()
    const rangeOption = range && { Range: `bytes=${range.start}-${range.end}` }
    const response = await missingAsNull(client.send(new sdk.GetObjectCommand({ ...at(key), ...rangeOption })))
    if (!response) return null
    return response.Body instanceof Readable ? response.Body : throwError('S3 gave no stream')
  }

  async function remove(key: string): Promise<void> {
    const { client, sdk, locate: at } = await bucket()
    await client.send(new sdk.DeleteObjectCommand(at(key)))
  }

  return {
    stat: getStats,
    list,
    remove,
    read: (key, options) => read(key, options?.range),
    async pipeTo(key, range, into) {
      const content = await read(key, range)
      if (!content) return false
      await pipeline(content, into, { end: false }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
      })
      return true
    },
    async put(key, from) {
      const size = from instanceof Uint8Array ? from.length : (await stat(from.path)).size
      if (size > UPLOAD_PART_BYTES) return putInParts(await bucket(), key, from, size)
      const { client, sdk, locate: at } = await bucket()
      const content = from instanceof Uint8Array ? from : Buffer.concat(await createReadStream(from.path).toArray())
      await client.send(new sdk.PutObjectCommand({ ...at(key), Body: content, ContentLength: content.length }))
    },
    async openLocalCopy(key, scratch) {
      const content = await read(key)
      if (!content) return null
      const copy = path.join(scratch, newId())
      const done = () => rm(copy, { force: true })
      await mkdir(scratch, { recursive: true })
      try {
        await pipeline(content, createWriteStream(copy))
      } catch (error) {
        await done()
        throw error
      }
      return { path: copy, done }
    },
    async copy(from, to) {
      const { size } = (await getStats(from)) ?? throwError('there is nothing to copy')
      if (size > MAX_COPY_BYTES) return copyInParts(await bucket(), from, to, size)
      const { client, sdk, locate: at } = await bucket()
      await client.send(new sdk.CopyObjectCommand({ ...at(to), CopySource: `${options.bucket}/${requireKey(from)}` }))
    },
    async removeFile(tenantId, fileId) {
      const key = requireKey(`${tenantId}/${fileId}`)
      await remove(key)
      const batch: Promise<void>[] = []
      for await (const derived of list(`${key}.made/`)) {
        batch.push(remove(derived.key))
        if (batch.length === REMOVE_CONCURRENCY) await Promise.all(batch.splice(0))
      }
      await Promise.all(batch)
    },

    startParts: async (key) => startS3Parts(await bucket(), key),
    async signPart(key, { uploadId, number, size, ttlSeconds }) {
      const { client, sdk, locate: at, sign } = await bucket()
      const about = { ...at(key), UploadId: uploadId, PartNumber: number, ContentLength: size }
      return sign(client, new sdk.UploadPartCommand(about), { expiresIn: ttlSeconds })
    },
    listParts: async (key, uploadId) => (await listS3Parts(await bucket(), key, uploadId)) ?? [],
    finishParts: async (key, uploadId) => {
      const parts = await listS3Parts(await bucket(), key, uploadId)
      if (parts !== null) await finishS3Parts(await bucket(), key, uploadId, parts)
      else if (!(await getStats(key))) throwError('the upload is not there')
    },
    abortParts: async (key, uploadId) => abortS3Parts(await bucket(), key, uploadId),
    async *listStaleUploads() {},

    async signRead(key, { type, disposition, seconds }) {
      const { client, sdk, locate: at, sign } = await bucket()
      const answer = { ResponseContentType: type, ResponseContentDisposition: disposition }
      const lasting = { ResponseCacheControl: `private, max-age=${seconds}` }
      return sign(client, new sdk.GetObjectCommand({ ...at(key), ...answer, ...lasting }), { expiresIn: seconds })
    },
  }
}

function throwError(message: string): never {
  throw new Error(message)
}
