import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { copyFiles } from '#lib/storage/copy.ts'
import { createStorageFolder } from '#lib/storage/folders.ts'
import { signFile, signPicture } from '#lib/storage/signed-url.ts'
import { file, fileUse, storageUse, video } from '#lib/storage/table.ts'
import { discardObjects, emptyTrash, purgeFiles, restoreFiles, sweepFileTrash } from '#lib/storage/trash.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { countStoredBytes, insertFiles, insertFileUse, storeFile } from '../../setup/files.ts'
import { deleteFiles, listFiles } from '../../setup/parsed/storage.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  theirs = await createOtherTenant()
})
beforeEach(async () => {
  ours = await createTestTenant()
  owner = ours.as.OWNER
})

const folder = async (name: string, parentId: string | null = null) =>
  (await createStorageFolder(owner, { parentId, name })).folderId
const names = async (query: Parameters<typeof listFiles>[1] = {}) =>
  (await listFiles(owner, query)).rows.map(({ name }) => name)
const codeOf = (action: Promise<unknown>) =>
  action.then(
    () => 'done',
    (error) => error.code,
  )

describe('deleting', () => {
  test('deletes a folder with its contents once, and restores it unchanged', async () => {
    const top = await folder('Тека')
    const inner = await folder('Усередині', top)
    const [a = '', b = ''] = await insertFiles(owner, [
      { parentId: inner, name: 'a.txt' },
      { parentId: top, name: 'b.txt' },
    ])
    expect(await deleteFiles(owner, { fileIds: [b] })).toMatchObject({ outcomes: [{ done: true, name: 'b.txt' }] })
    await deleteFiles(owner, { fileIds: [a, top] })
    expect(await names()).toEqual([])
    expect(await names({ trash: true })).toEqual(['Тека', 'b.txt'])
    expect(await codeOf(deleteFiles(owner, { fileIds: [top] }))).toBe('not_found')
    await restoreFiles(owner, { fileIds: [top] })
    expect(await names({ folderId: inner })).toEqual(['a.txt'])
    expect(await names({ folderId: top })).toEqual(['Усередині'])
    await restoreFiles(owner, { fileIds: [b] })
    expect(await names({ folderId: top })).toEqual(['Усередині', 'b.txt'])
  })

  test('stops signed URLs until the file is restored', async () => {
    const [fileId = ''] = await insertFiles(owner, [{ name: 'a.png', kind: 'image', mime: 'image/png' }])
    const outcomes = () =>
      Promise.all(
        [signFile(owner, fileId), signFile(owner, fileId, { download: true }), signPicture(owner, fileId)].map(codeOf),
      )
    expect(await outcomes()).toEqual(['done', 'done', 'done'])
    await deleteFiles(owner, { fileIds: [fileId] })
    expect(await outcomes()).toEqual(['not_found', 'not_found', 'not_found'])
    await restoreFiles(owner, { fileIds: [fileId] })
    expect(await outcomes()).toEqual(['done', 'done', 'done'])
  })

  test('skips files in use and lists their uses, unless confirmed', async () => {
    const top = await folder('Тека')
    const [used = '', free = ''] = await insertFiles(owner, [{ parentId: top, name: 'a.png' }, { name: 'b.png' }])
    const lessonId = await insertFileUse(owner, used, 'Урок 3')
    const { outcomes } = await deleteFiles(owner, { fileIds: [top, free] })
    expect(outcomes).toMatchObject([
      { fileId: top, done: false, reason: 'in_use', uses: [{ kind: 'lesson', id: lessonId, title: 'Урок 3' }] },
      { fileId: free, done: true },
    ])
    expect(await names()).toEqual(['Тека'])
    await deleteFiles(owner, { fileIds: [top], sure: true })
    expect(await names()).toEqual([])
  })

  test('deletes once for two concurrent requests', async () => {
    const [id = ''] = await insertFiles(owner, [{ name: 'a.txt' }])
    const both = await Promise.all([1, 2].map(() => codeOf(deleteFiles(owner, { fileIds: [id] }))))
    expect(both.sort()).toEqual(['done', 'not_found'])
  })
})

describe('restoring', () => {
  test('moves items without a folder to the top level, and renames a folder whose name is taken', async () => {
    const top = await folder('Тека')
    const [id = ''] = await insertFiles(owner, [{ parentId: top, name: 'a.txt' }])
    await deleteFiles(owner, { fileIds: [id] })
    await deleteFiles(owner, { fileIds: [top] })
    await restoreFiles(owner, { fileIds: [id] })
    expect(await names()).toEqual(['a.txt'])
    await folder('Тека')
    await restoreFiles(owner, { fileIds: [top] })
    expect(await names()).toEqual(['Тека', 'Тека (2)', 'a.txt'])
  })
})

describe('purging', () => {
  test('frees the exact number of bytes, and nothing a second time', async () => {
    const top = await folder('Тека')
    const kept = await storeFile(owner, { name: 'лишиться.txt', bytes: 'тут' })
    const [a, b] = [
      await storeFile(owner, {
        parentId: top,
        name: 'a.png',
        kind: 'image',
        bytes: 'x'.repeat(700),
        made: { 'image/320.webp': 'm'.repeat(90) },
      }),
      await storeFile(owner, { parentId: top, name: 'b.txt', bytes: 'y'.repeat(55) }),
    ]
    await deleteFiles(owner, { fileIds: [b] })
    await deleteFiles(owner, { fileIds: [top] })
    const before = await getQuota(owner)
    expect(await codeOf(purgeFiles(owner, { fileIds: [kept] }))).toBe('not_found')
    expect((await purgeFiles(owner, { fileIds: [top] })).outcomes).toMatchObject([{ done: true }])
    expect(await codeOf(purgeFiles(owner, { fileIds: [top] }))).toBe('not_found')
    const after = await getQuota(owner)
    expect([before.used - after.used, before.derived - after.derived]).toEqual([700, 90])
    await discardObjects({ tenantId: owner.tenantId, fileIds: [a] })
    await discardObjects({ tenantId: owner.tenantId, fileIds: [a] })
    expect(await countStoredBytes(owner.tenantId)).toEqual({ original: after.used, made: after.derived })
    await restoreFiles(owner, { fileIds: [b] })
    expect(await names()).toEqual(['лишиться.txt', 'b.txt'])
  })

  test('an object that cannot be removed does not keep the others', async () => {
    const removed: string[] = []
    const removing = vi.spyOn(store, 'removeFile').mockImplementation(async (_tenantId, fileId) => {
      if (fileId === 'failing') throw new Error('the bucket refuses')
      removed.push(fileId)
    })
    const discarded = discardObjects({ tenantId: owner.tenantId, fileIds: ['failing', 'next'] })
    await expect(discarded).rejects.toThrow('1 of 2 items failed. the bucket refuses')
    expect(removed).toEqual(['next'])
    removing.mockRestore()
  })

  test('never removes a file in use', async () => {
    const used = await storeFile(owner, { name: 'a.png', bytes: 'a' })
    const free = await storeFile(owner, { name: 'b.png', bytes: 'b' })
    await insertFileUse(owner, used, 'Урок')
    await deleteFiles(owner, { fileIds: [used, free], sure: true })
    expect(await emptyTrash(owner)).toEqual({ purged: 1 })
    expect((await purgeFiles(owner, { fileIds: [used] })).outcomes).toMatchObject([{ done: false, reason: 'in_use' }])
    await inTenant(owner, (tx) => tx.delete(fileUse).where(eq(fileUse.fileId, used)))
    expect(await emptyTrash(owner)).toEqual({ purged: 1 })
  })

  test('runs automatically after 30 days, in every school', async () => {
    const [old, young] = [
      await storeFile(owner, { name: 'old.txt', bytes: 'a' }),
      await storeFile(owner, { name: 'young.txt', bytes: 'b' }),
    ]
    await deleteFiles(owner, { fileIds: [old, young] })
    const deletedAt = new Date(Date.now() - 31 * 86_400_000)
    await inTenant(owner, (tx) => tx.update(file).set({ deletedAt }).where(eq(file.id, old)))
    expect(await sweepFileTrash()).toBe(1)
    expect(await names({ trash: true })).toEqual(['young.txt'])
    expect((await getQuota(owner)).used).toBe(1)
  })
})

describe('a copy', () => {
  test('has its own object, derived files and unique name, and counts towards storage', async () => {
    const top = await folder('Тека')
    const picture = await storeFile(owner, {
      parentId: top,
      name: 'Кадр.png',
      kind: 'image',
      widths: [320],
      bytes: 'x'.repeat(40),
      made: { 'image/320.webp': 'm'.repeat(9) },
    })
    const { copies } = await copyFiles(owner, { fileIds: [picture], folderId: top })
    expect(await names({ folderId: top })).toEqual(['Кадр (2).png', 'Кадр.png'])
    const whole = await copyFiles(owner, { fileIds: [top], folderId: null })
    expect(await names()).toEqual(['Тека', 'Тека (2)'])
    expect(await names({ folderId: whole.copies[0] ?? null })).toEqual(['Кадр (2).png', 'Кадр.png'])
    const read = await store.read(`${owner.tenantId}/${copies[0]}.made/image/320.webp`)
    expect(read).not.toBeNull()
    read?.destroy()
    const { used, derived: made, reserved: promised } = await getQuota(owner)
    expect({ used, made, promised }).toEqual({ used: 160, made: 36, promised: 0 })
    expect(await countStoredBytes(owner.tenantId)).toEqual({ original: 160, made: 36 })
  })

  test('of an encoded video is encoded, of another one is encoded again', async () => {
    const done = await storeFile(owner, { name: 'a.mp4', kind: 'video', bytes: 'a', made: { 'hls/master.m3u8': 'mm' } })
    const open = await storeFile(owner, { name: 'b.mp4', kind: 'video', bytes: 'b', made: { 'hls/360/000.m4s': 'mm' } })
    const { tenantId } = owner
    const rows = [
      { tenantId, fileId: done, state: 'finished' as const },
      { tenantId, fileId: open, state: 'encoding' as const },
    ]
    await inTenant(owner, (tx) => tx.insert(video).values(rows))
    const to = await folder('Копії')
    await copyFiles(owner, { fileIds: [done, open], folderId: to })
    const states = (await listFiles(owner, { folderId: to })).rows.map(({ state }) => state)
    expect(states).toEqual(['finished', 'queued'])
    expect((await getQuota(owner)).derived).toBe(6)
  })

  test('is refused as a whole without free space, and reserves nothing', async () => {
    const id = await storeFile(owner, { name: 'a.bin', bytes: 'aaa' })
    const limit = (await getQuota(owner)).limit ?? 0
    await inTenant(owner, (tx) => tx.update(storageUse).set({ original: limit - 2 }))
    expect(await codeOf(copyFiles(owner, { fileIds: [id], folderId: null }))).toBe('unprocessable')
    expect(await getQuota(owner)).toMatchObject({ used: limit - 2, reserved: 0 })
    expect(await names()).toEqual(['a.bin'])
  })
})

test.each(ROLES)(
  '%s deletes, restores, copies and purges only with the permission to manage content and an active plan',
  async (role) => {
    const [there = '', gone = '', last = ''] = await insertFiles(owner, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    await deleteFiles(owner, { fileIds: [gone, last] })
    const actions = (as: Actor) => [
      () => deleteFiles(as, { fileIds: [there] }),
      () => restoreFiles(as, { fileIds: [gone] }),
      () => purgeFiles(as, { fileIds: [last] }),
      () => emptyTrash(as),
    ]
    const may = ['OWNER', 'DIRECTOR', 'EXPERT'].includes(role)
    const actor = ours.as[role]
    for (const action of actions({ ...actor, plans: [] }))
      expect(await codeOf(action())).toBe(may ? 'plan_inactive' : 'forbidden')
    if (may) for (const action of actions(theirs.as[role]).slice(0, 3)) expect(await codeOf(action())).toBe('not_found')
    for (const action of actions(actor)) expect(await codeOf(action())).toBe(may ? 'done' : 'forbidden')
  },
)
