import { beforeAll, describe, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { caption, file, video } from '#lib/storage/table.ts'
import { getPlayback, openPlayback, renewPlayback, savePosition } from '#lib/storage/video/playback.ts'
import { createOtherTenant, createTestTenant, signInTestUser, type TestTenant } from '../../../setup/tenants.ts'

const HOUR = 3600_000

let home: TestTenant
let beside: TestTenant
let owner: Actor
let student: Actor
beforeAll(async () => {
  home = await createTestTenant()
  beside = await createOtherTenant()
  owner = home.as.OWNER
  student = home.as.STUDENT
})

describe('a playback view', () => {
  test('contains all URLs a player needs under one signed base', async () => {
    const fileId = await insertVideo()
    const view = await openPlayback(student, fileId)
    expect(view).toMatchObject({ kind: 'video', name: 'Вступ', duration: 600, width: 1280, canSubscribe: false })
    expect(view.base).toMatch(new RegExp(`^/v1/media/${home.tenant.id}/${fileId}/[\\w.-]+/$`))
    const { base } = view
    expect(view.hls).toBe(`${base}hls/master.m3u8`)
    expect(view.sound).toBe(`${base}hls/sound/index.m3u8`)
    expect(view.sources).toEqual([{ src: `${base}original.mp4`, type: 'video/mp4' }])
    expect(view.poster).toBe(`${base}poster/2.webp`)
    expect(view.storyboard).toMatchObject({ src: `${base}storyboard.webp`, interval: 10, columns: 5 })
    expect(view.captions.map(({ lang }) => lang)).toEqual(['en', 'uk'])
    expect(view.captions[1]?.src.startsWith(`${base}captions/uk.vtt?v=`)).toBe(true)
    expect(view.chapters).toEqual([{ at: 0, title: 'Початок' }])
    expect(view.processing).toEqual({ state: 'finished', progress: 100 })
  })

  test('is valid for at least two hours, and is identical when the page is reopened', async () => {
    const fileId = await insertVideo()
    const [first, two] = [await openPlayback(owner, fileId), await openPlayback(owner, fileId)]
    expect(first.expiresIn).toBeGreaterThanOrEqual(2 * 3600)
    expect(first.expiresIn).toBeLessThanOrEqual(2.5 * 3600)
    expect(two.base).toBe(first.base)
    expect((await openPlayback(student, fileId)).base).not.toBe(first.base)
  })

  test('of a video being encoded reports progress, and plays the original meanwhile', async () => {
    const fileId = await insertVideo({ state: 'encoding', progress: 40, renditions: [], soundReady: false, posters: 0 })
    expect(await openPlayback(student, fileId)).toMatchObject({
      hls: null,
      sound: null,
      poster: null,
      processing: { state: 'encoding', progress: 40 },
      sources: [{ type: 'video/mp4' }],
    })
  })

  test('of audio plays its single playlist; a format browsers cannot play has no direct source', async () => {
    const fileId = await insertVideo(
      { renditions: [], posters: 0, storyboard: null },
      { kind: 'audio', mime: 'audio/x-ms-wma' },
    )
    const view = await openPlayback(student, fileId)
    expect(view).toMatchObject({ kind: 'audio', hls: `${view.base}hls/sound/index.m3u8`, sound: null, sources: [] })
  })

  test('is refused for another tenant, deleted files, unplayable files and invalid ids', async () => {
    const fileId = await insertVideo()
    const gone = await insertVideo({}, { deletedAt: new Date() })
    const text = await insertVideo({}, { kind: 'doc' })
    await expect(openPlayback(beside.as.OWNER, fileId)).rejects.toThrow('not_found')
    for (const id of [gone, text, newId(), '../etc']) await expect(openPlayback(owner, id)).rejects.toThrow('not_found')
    await expect(getPlayback(student, { fileId })).rejects.toThrow('forbidden')
    expect((await getPlayback(owner, { fileId })).canSubscribe).toBe(true)
  })
})

describe('renewing', () => {
  test('works for twelve hours after the URLs have expired', async () => {
    const fileId = await insertVideo()
    const first = await openPlayback(student, fileId)
    const later = await at(11 * HOUR, () => renewPlayback(student, first))
    expect(later.fileId).toBe(fileId)
    expect(later.base).not.toBe(first.base)
    await at(13 * HOUR, () => expect(renewPlayback(student, later)).rejects.toThrow('not_found'))
  })

  test('is refused for another person, session or tenant, and for invalid data', async () => {
    const { base } = await openPlayback(student, await insertVideo())
    const elsewhere = (await signInTestUser(student.userId, 'go')).actor
    for (const actor of [owner, elsewhere, beside.as.STUDENT])
      await expect(renewPlayback(actor, { base })).rejects.toThrow('not_found')
    const moved = base.replace(home.tenant.id, beside.tenant.id)
    for (const wrong of [moved, base.slice(1), `${base}x`, base.replace(/.\/$/, '/'), '', '/v1/media/a/b/c/'])
      await expect(renewPlayback(student, { base: wrong })).rejects.toThrow('not_found')
  })

  test('is refused once the file is deleted', async () => {
    const fileId = await insertVideo()
    const { base } = await openPlayback(student, fileId)
    await inTenant(owner, (tx) => tx.update(file).set({ deletedAt: new Date() }))
    await expect(renewPlayback(student, { base })).rejects.toThrow('not_found')
  })
})

describe('the playback position', () => {
  test('is stored per person, and restarts after the end', async () => {
    const fileId = await insertVideo()
    expect((await openPlayback(student, fileId)).position).toBeNull()
    await savePosition(student, { fileId, seconds: 100 })
    await savePosition(student, { fileId, seconds: 125.7 })
    expect((await openPlayback(student, fileId)).position?.seconds).toBe(125)
    expect((await openPlayback(owner, fileId)).position).toBeNull()
    await savePosition(student, { fileId, seconds: 598 })
    expect((await openPlayback(student, fileId)).position?.seconds).toBe(0)
  })

  test('is refused for a file of another tenant', async () => {
    const fileId = await insertVideo()
    await expect(savePosition(beside.as.STUDENT, { fileId, seconds: 1 })).rejects.toThrow('not_found')
  })
})

async function at<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  try {
    return await run()
  } finally {
    vi.useRealTimers()
  }
}

type Made = Partial<typeof video.$inferInsert>
type Kept = Partial<typeof file.$inferInsert>

async function insertVideo(made: Made = {}, kept: Kept = {}): Promise<string> {
  const fileId = newId()
  const { tenantId } = owner
  const tiles = { interval: 10, columns: 5, rows: 12, count: 60, tileWidth: 160, tileHeight: 90 }
  const ready = {
    size: 360,
    height: 360,
    width: 640,
    bandwidth: 800_000,
    average: 800_000,
    codecs: 'avc1.64001f',
    ready: true,
  }
  await inTenant(owner, async (tx) => {
    await tx.insert(file).values({
      tenantId,
      id: fileId,
      kind: 'video',
      name: 'Вступ.mp4',
      mime: 'video/mp4',
      size: 1000,
      width: 1280,
      height: 720,
      ownerId: owner.membershipId,
      ...kept,
    })
    await tx.insert(video).values({
      tenantId,
      fileId,
      state: 'finished',
      progress: 100,
      duration: 600,
      renditions: [ready],
      soundReady: true,
      posters: 3,
      poster: 2,
      storyboard: tiles,
      chapters: [{ at: 0, title: 'Початок' }],
      ...made,
    })
    const captions = (['uk', 'en'] as const).map((lang) => ({ tenantId, fileId, lang, text: 'WEBVTT\n' }))
    await tx.insert(caption).values(captions)
  })
  return fileId
}
