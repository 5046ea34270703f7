import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { newId } from '../../db/id.ts'
import { UPLOAD_PART_BYTES } from '../../shared/upload-part.ts'
import { checkedKey } from '../key.ts'
import type { ObjectStore, Stored } from '../store.ts'
import { bucketOf, missingIsNull, type S3Place } from './s3-bucket.ts'
import { abortParts, copyInParts, finishParts, listParts, putInParts, startParts } from './s3-parts.ts'

/** More than this S3 does not copy in one call. */
const MOST_COPIED = 5 * 1024 ** 3
const AT_ONCE = 10

/** Objects in a bucket of any service that speaks S3; browsers get addresses that are signed for them. */
export function createS3Store(place: S3Place): ObjectStore {
  const bucket = bucketOf(place)

  async function head(key: string): Promise<{ size: number; tag: string } | null> {
    const { client, sdk, at } = await bucket()
    const found = await missingIsNull(client.send(new sdk.HeadObjectCommand(at(key))))
    return found && { size: found.ContentLength ?? 0, tag: (found.ETag ?? '').replaceAll('"', '') }
  }

  async function* list(prefix: string): AsyncGenerator<Stored> {
    const { client, sdk } = await bucket()
    const pages = sdk.paginateListObjectsV2({ client }, { Bucket: place.bucket, Prefix: prefix })
    for await (const page of pages) {
      for (const { Key = '', Size = 0 } of page.Contents ?? []) yield { key: Key, size: Size }
    }
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable | null> {
    const { client, sdk, at } = await bucket()
    const asked = range && { Range: `bytes=${range.start}-${range.end}` }
    const found = await missingIsNull(client.send(new sdk.GetObjectCommand({ ...at(key), ...asked })))
    if (!found) return null
    return found.Body instanceof Readable ? found.Body : fail('S3 gave no stream')
  }

  async function remove(key: string): Promise<void> {
    const { client, sdk, at } = await bucket()
    await client.send(new sdk.DeleteObjectCommand(at(key)))
  }

  return {
    stat: head,
    list,
    remove,
    read: (key, options) => read(key, options?.range),
    async pour(key, range, into) {
      const bytes = await read(key, range)
      if (!bytes) return false
      await pipeline(bytes, into, { end: false }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
      })
      return true
    },
    async put(key, from) {
      const size = from instanceof Uint8Array ? from.length : (await stat(from.path)).size
      if (size > UPLOAD_PART_BYTES) return putInParts(await bucket(), key, from, size)
      const { client, sdk, at } = await bucket()
      const bytes = from instanceof Uint8Array ? from : Buffer.concat(await createReadStream(from.path).toArray())
      await client.send(new sdk.PutObjectCommand({ ...at(key), Body: bytes, ContentLength: bytes.length }))
    },
    async lend(key, scratch) {
      const bytes = await read(key)
      if (!bytes) return null
      const copy = path.join(scratch, newId())
      const done = () => rm(copy, { force: true })
      await mkdir(scratch, { recursive: true })
      try {
        await pipeline(bytes, createWriteStream(copy))
      } catch (error) {
        await done()
        throw error
      }
      return { path: copy, done }
    },
    async copy(from, to) {
      const { size } = (await head(from)) ?? fail('there is nothing to copy')
      if (size > MOST_COPIED) return copyInParts(await bucket(), from, to, size)
      const { client, sdk, at } = await bucket()
      await client.send(new sdk.CopyObjectCommand({ ...at(to), CopySource: `${place.bucket}/${checkedKey(from)}` }))
    },
    async removeFile(tenantId, fileId) {
      const key = checkedKey(`${tenantId}/${fileId}`)
      await remove(key)
      const batch: Promise<void>[] = []
      for await (const made of list(`${key}.made/`)) {
        batch.push(remove(made.key))
        if (batch.length === AT_ONCE) await Promise.all(batch.splice(0))
      }
      await Promise.all(batch)
    },

    startParts: async (key) => startParts(await bucket(), key),
    async signPart(key, { uploadId, number, size, seconds }) {
      const { client, sdk, at, sign } = await bucket()
      const about = { ...at(key), UploadId: uploadId, PartNumber: number, ContentLength: size }
      return sign(client, new sdk.UploadPartCommand(about), { expiresIn: seconds })
    },
    listParts: async (key, uploadId) => (await listParts(await bucket(), key, uploadId)) ?? [],
    finishParts: async (key, uploadId) => {
      const parts = await listParts(await bucket(), key, uploadId)
      if (parts !== null) await finishParts(await bucket(), key, uploadId, parts)
      else if (!(await head(key))) fail('the upload is not there')
    },
    abortParts: async (key, uploadId) => abortParts(await bucket(), key, uploadId),
    async *silentUploads() {},

    async signRead(key, { type, disposition, seconds }) {
      const { client, sdk, at, sign } = await bucket()
      const answer = { ResponseContentType: type, ResponseContentDisposition: disposition }
      const lasting = { ResponseCacheControl: `private, max-age=${seconds}` }
      return sign(client, new sdk.GetObjectCommand({ ...at(key), ...answer, ...lasting }), { expiresIn: seconds })
    },
  }
}

function fail(why: string): never {
  throw new Error(why)
}
