import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { file, storageUse } from '#lib/storage/table.ts'
import { addOriginalBytes } from '#lib/storage/upload/quota.ts'
import { encodeVideo } from '#lib/storage/video/encode.ts'
import { queueVideo } from '#lib/storage/video/video.ts'

/** Stores a local file in a school's storage as a finished upload would, queued for encoding. Returns its id. */
export async function upload(
  owner: Actor,
  from: string | Uint8Array,
  kind: 'video' | 'audio' = 'video',
): Promise<string> {
  const { tenantId, membershipId: ownerId } = owner
  const fileId = newId()
  await store.put(`${tenantId}/${fileId}`, typeof from === 'string' ? { path: from } : from)
  await inTenant(owner, async (tx) => {
    await tx.insert(file).values({ tenantId, id: fileId, kind, name: 'Урок.mp4', mime: 'video/mp4', ownerId, size: 1 })
    await addOriginalBytes(tx, tenantId, 1)
    await queueVideo(tx, tenantId, fileId)
  })
  return fileId
}

/** Runs one attempt of the encoding job. */
export const transcode = ({ tenantId }: Actor, fileId: string, signal = new AbortController().signal): Promise<void> =>
  encodeVideo({ tenantId, fileId }, { signal })

/** Paths of all derived files of a file, sorted, and their size in bytes. */
export async function listDerivedFiles(
  { tenantId }: Actor,
  fileId: string,
): Promise<{ paths: string[]; bytes: number }> {
  const prefix = `${tenantId}/${fileId}.made/`
  const paths: string[] = []
  let bytes = 0
  for await (const { key, size } of store.list(prefix)) {
    paths.push(key.slice(prefix.length))
    bytes += size
  }
  return { paths: paths.sort(), bytes }
}

/** Copies the derived files of a file into a folder, where programs can read them. */
export async function copyDerivedFiles(owner: Actor, fileId: string, folder: string): Promise<string> {
  for (const name of (await listDerivedFiles(owner, fileId)).paths) {
    const chunks = await (await store.read(`${owner.tenantId}/${fileId}.made/${name}`))?.toArray()
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), Buffer.concat(chunks ?? []))
  }
  return folder
}

/** Bytes of derived files in the storage use of a school. */
export const countDerivedBytes = (owner: Actor): Promise<number> =>
  inTenant(owner, async (tx) => {
    const [row] = await tx.select({ made: storageUse.made }).from(storageUse)
    return row?.made ?? 0
  })

/** Live events of the storage channel about a file, oldest first. */
export async function listStorageEvents(owner: Actor, fileId: string): Promise<{ event: string; progress?: number }[]> {
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ payload: { event: string; progress?: number } }>(
      sql`select payload from live_event where channel = 'storage' and payload->>'fileId' = ${fileId} order by id`,
    ),
  )
  return rows.map(({ payload }) => payload)
}

/** Names in the temporary folder of the encoder: empty when it is idle. */
export const listTemporaryFolders = (): Promise<string[]> => readdir(path.join(config.dataDir, 'tmp')).catch(() => [])

/** Waits until ffmpeg processes a file in the step that creates `making`. Returns its process. */
export async function findEncoderProcess(fileId: string, making: string): Promise<number> {
  for (let waited = 0; waited < 400; waited++) {
    for (const pid of await readdir('/proc')) {
      const line = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : ''
      if (line.includes(fileId) && line.includes(making) && line.startsWith('/')) return Number(pid)
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`no encoder of ${fileId}`)
}

/** Copies the first bytes of a file, as if the rest had been lost. */
export async function truncateFile(from: string, share: number): Promise<Buffer> {
  const whole = await readFile(from)
  return whole.subarray(0, Math.floor(whole.length * share))
}
