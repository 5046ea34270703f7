import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import type { FileArea, FileKind } from '#lib/core/shared/stored-file.ts'
import { createStorageFolder } from '#lib/storage/folders.ts'
import { file, fileState, video } from '#lib/storage/table.ts'
import { queueExamination } from '#lib/storage/upload/examine.ts'
import { countOriginalBytes } from '#lib/storage/upload/quota.ts'
import { queueVideo } from '#lib/storage/video/video.ts'
import { createTestPattern } from './clips.ts'
import { handout } from './handout.ts'

const POSTERS = [
  { name: 'Афіша.png', from: '#1f4fa3', to: '#f2c14e' },
  { name: 'Сцена.png', from: '#243b55', to: '#8fb8de' },
  { name: 'Студія.png', from: '#5b2a86', to: '#f7cac9' },
]

const CHECKLIST = `За десять хвилин до ефіру

1. Вимкнути сповіщення на телефоні й комп’ютері.
2. Поставити воду так, щоб її не було видно в кадрі.
3. Перевірити звук: сказати три речення й послухати запис.
4. Відкрити слайди на першому й закрити все зайве.
5. Написати в чат, що починаємо вчасно.
`

/** Folders and files of the storage: images, handouts and, if ffmpeg is installed, a short video. */
export async function fillFileLibrary(author: Actor): Promise<void> {
  const folder = async (name: string, parentId: string | null = null) =>
    (await createStorageFolder(author, { parentId, name })).folderId
  const pictures = await folder('Світлини')
  for (const { name, from, to } of POSTERS) {
    await keep(author, { parentId: pictures, name, kind: 'image', mime: 'image/png', bytes: await poster(from, to) })
  }
  const handouts = await folder('Роздаткові матеріали')
  await folder('Для кураторів', handouts)
  const pdf = {
    kind: 'doc',
    mime: 'application/pdf',
    bytes: handout(['Vebinar: plan na 60 khvylyn', 'Zapytannia']),
  } as const
  await keep(author, { parentId: handouts, name: 'План вебінару.pdf', ...pdf })
  const text = { kind: 'doc', mime: 'text/plain', bytes: Buffer.from(CHECKLIST) } as const
  await keep(author, { parentId: handouts, name: 'Перед ефіром.txt', ...text })
  const pattern = await createTestPattern()
  if (!pattern) return
  const records = await folder('Записи')
  await keep(author, { parentId: records, name: 'Проба камери.mp4', kind: 'video', mime: 'video/mp4', bytes: pattern })
}

interface Kept {
  parentId: string | null
  area?: FileArea
  name: string
  kind: FileKind
  mime: string
  bytes: Buffer
  /** Seconds of a video that browsers play as it is: it is not encoded. */
  duration?: number
}

// Stores bytes directly instead of as an upload in parts.
export async function keep(author: Actor, { bytes, duration, ...about }: Kept): Promise<string> {
  const { tenantId, membershipId: ownerId } = author
  const id = newId()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const sample = await sampleOf(new Blob([new Uint8Array(bytes)]))
  await store.put(`${tenantId}/${id}`, bytes)
  await inTenant(author, async (tx) => {
    await countOriginalBytes(tx, author, bytes.length)
    await tx.insert(file).values({ tenantId, id, ownerId, size: bytes.length, sha256, sample, ...about })
    await tx.insert(fileState).values({ tenantId, fileId: id, event: 'uploadFinished' })
    if (about.kind === 'image') await queueExamination(tenantId, id)
    if (duration !== undefined) {
      const times = { startedAt: new Date(), endedAt: new Date() }
      await tx.insert(video).values({ tenantId, fileId: id, state: 'finished', progress: 100, duration, ...times })
    } else if (about.kind === 'video') await queueVideo(tx, tenantId, id)
  })
  return id
}

export function poster(from: string, to: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
    <rect width="960" height="540" fill="url(#g)"/><circle cx="480" cy="270" r="130" fill="#fff" fill-opacity=".18"/></svg>`
  return sharp(Buffer.from(svg)).png({ compressionLevel: 6 }).toBuffer()
}
