import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { storageUse } from '#lib/storage/table.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { storeRecording } from '#lib/storage/video/store-recording.ts'
import { getVideo } from '#lib/storage/video/video.ts'
import { createClip } from '../../../setup/media/clips.ts'
import { transcode } from '../../../setup/media/transcoding.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let folder: string
let video: string
let home: TestTenant
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'take-in-'))
  video = await createClip(path.join(folder, 'video.mp4'), { seconds: 2, size: '320x180', tone: 440 })
  home = await createTestTenant()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const own = () => ({
  tenantId: home.tenant.id,
  ownerId: home.as.OWNER.membershipId,
  fileId: newId(),
  path: video,
  name: 'Вебінар, запис.mp4',
})

test('stores a recording of the product and queues its encoding', async () => {
  const { OWNER } = home.as
  const { fileId, overQuota } = await storeRecording(own())
  expect(overQuota).toBe(false)
  expect(await findFile(OWNER, fileId)).toMatchObject({ name: 'Вебінар, запис.mp4', kind: 'video' })
  await transcode(OWNER, fileId)
  expect(await getVideo(OWNER, { fileId })).toMatchObject({ state: 'finished', hasPicture: true, hasSound: true })
  const stranger = (await createOtherTenant()).as.OWNER
  await expect(findFile(stranger, fileId)).rejects.toMatchObject({ code: 'not_found' })
})

test('stores and counts once what a job delivers twice', async () => {
  const { OWNER } = home.as
  const mine = own()
  const { used } = await getQuota(OWNER)
  await Promise.all([storeRecording(mine), storeRecording(mine)])
  await storeRecording(mine)
  const { size = 0 } = (await store.stat(`${mine.tenantId}/${mine.fileId}`)) ?? {}
  expect((await getQuota(OWNER)).used).toBe(used + size)
})

test("keeps a recording when the plan's storage is full, and reports it", async () => {
  const { OWNER } = home.as
  const { limit, used } = await getQuota(OWNER)
  await inTenant(OWNER, (tx) => tx.update(storageUse).set({ original: limit ?? 0 }))
  const { fileId, overQuota } = await storeRecording(own())
  expect(overQuota).toBe(true)
  expect(await findFile(OWNER, fileId)).toMatchObject({ kind: 'video' })
  await inTenant(OWNER, (tx) => tx.update(storageUse).set({ original: used }))
})

test('refuses an empty recording', async () => {
  const empty = path.join(folder, 'empty.mp4')
  await writeFile(empty, '')
  await expect(storeRecording({ ...own(), path: empty })).rejects.toMatchObject({ code: 'invalid' })
})
