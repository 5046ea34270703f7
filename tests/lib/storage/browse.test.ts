import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { getFile } from '#lib/storage/details.ts'
import { createStorageFolder } from '#lib/storage/folders.ts'
import type { ListFiles } from '#lib/storage/schema.ts'
import { fileState, video } from '#lib/storage/table.ts'
import { queueVideo } from '#lib/storage/video/video.ts'
import { insertFiles, insertFileUse } from '../../setup/files.ts'
import { listFiles } from '../../setup/parsed/storage.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
})

const folder = async (name: string, parentId: string | null = null) =>
  (await createStorageFolder(owner, { parentId, name })).folderId

const names = async (query: Partial<ListFiles>) => (await listFiles(owner, query)).rows.map(({ name }) => name)

async function everyName(query: Partial<ListFiles>): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await listFiles(owner, { ...query, cursor })
    found.push(...rows.map(({ name }) => name))
    if (!next) return found
    cursor = next
  }
}

describe('a folder', () => {
  test('lists folders first, then files in natural order and by the Ukrainian alphabet', async () => {
    const folderId = await folder('Порядок')
    const files = ['урок 10.mp4', 'Урок 2.mp4', 'їжак.png', 'Інше.png', 'ґанок.png', 'Гора.png', '2.txt', '10.txt']
    await insertFiles(
      owner,
      files.map((name) => ({ parentId: folderId, name })),
    )
    for (const name of ['Ялинка', 'Б', 'А']) await folder(name, folderId)
    const sorted = ['2.txt', '10.txt', 'Гора.png', 'ґанок.png', 'Інше.png', 'їжак.png', 'Урок 2.mp4', 'урок 10.mp4']
    expect(await names({ folderId })).toEqual(['А', 'Б', 'Ялинка', ...sorted])
    expect(await names({ folderId, direction: 'desc' })).toEqual(['Ялинка', 'Б', 'А', ...sorted.toReversed()])
  })

  test('is read page by page to its end, equal names included, under every sort order', async () => {
    const folderId = await folder('Рівні')
    const files = Array.from({ length: 260 }, (_, n) => ({
      parentId: folderId,
      name: n % 3 === 0 ? 'Однакове.png' : `Файл ${n}.png`,
      size: (n * 7919) % 13,
      createdAt: new Date(1_700_000_000_000 + (n % 5)),
    }))
    await insertFiles(owner, files)
    for (let n = 0; n < 3; n++) await folder(`Тека ${n}`, folderId)
    const all = [...files.map(({ name }) => name), 'Тека 0', 'Тека 1', 'Тека 2'].sort()
    for (const sort of ['name', 'size', 'createdAt'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const found = await everyName({ folderId, sort, direction })
        expect(found.toSorted(), `${sort} ${direction}`).toEqual(all)
        expect(found.slice(0, 3).toSorted()).toEqual(['Тека 0', 'Тека 1', 'Тека 2'])
      }
    }
    const sizes = (await listFiles(owner, { folderId, sort: 'size', direction: 'desc' })).rows.slice(3)
    expect(sizes.map(({ size }) => size)).toEqual(sizes.map(({ size }) => size).toSorted((a, b) => b - a))
  })

  test('returns its path, the number of uses of a file and the progress of a video', async () => {
    const outer = await folder('Зовнішня')
    const inner = await folder('Внутрішня', outer)
    const [videoId = '', picture = ''] = await insertFiles(owner, [
      { parentId: inner, kind: 'video', name: 'Запис.mp4', size: 10 },
      { parentId: inner, kind: 'image', name: 'Кадр.png', widths: [320] },
    ])
    await insertFileUse(owner, picture, 'Урок 1')
    await insertFileUse(owner, picture, 'Урок 2')
    const { tenantId } = owner
    await inTenant(owner, async (tx) => {
      const state = { state: 'encoding', progress: 40 } as const
      await tx.insert(video).values({ tenantId, fileId: videoId, ...state, posters: 3, poster: 1, duration: 61 })
      await tx.insert(fileState).values({ tenantId, fileId: videoId, event: 'encoding' })
    })
    const { path, rows } = await listFiles(owner, { folderId: inner })
    expect(path).toEqual([
      { id: outer, name: 'Зовнішня' },
      { id: inner, name: 'Внутрішня' },
    ])
    expect(rows).toMatchObject([
      {
        id: videoId,
        state: 'encoding',
        progress: 40,
        thumbnailUrl: expect.stringMatching(/poster\/1\.webp$/),
        usedCount: 0,
      },
      {
        id: picture,
        state: null,
        usedCount: 2,
        thumbnailUrl: expect.stringMatching(/image\/320\.webp$/),
        queuePosition: null,
      },
    ])
    expect(await getFile(owner, { fileId: videoId })).toMatchObject({
      name: 'Запис.mp4',
      path,
      duration: 61,
      owner: 'owner Тест',
      history: [{ event: 'encoding' }],
    })
    expect((await getFile(owner, { fileId: picture })).uses.map(({ title }) => title)).toEqual(['Урок 1', 'Урок 2'])
    expect(await getFile(owner, { fileId: outer })).toMatchObject({ size: 10, files: 2 })
  })

  test("returns a video's position in the encoding queue", async () => {
    const folderId = await folder('Черга')
    const videoIds = await insertFiles(
      owner,
      ['1.mp4', '2.mp4'].map((name) => ({ parentId: folderId, kind: 'video' as const, name })),
    )
    for (const id of videoIds) await inTenant(owner, (tx) => queueVideo(tx, owner.tenantId, id))
    const { rows } = await listFiles(owner, { folderId })
    expect(rows.map(({ queuePosition: place }) => place)).toEqual([1, 2])
  })
})

describe('searching', () => {
  test('covers all folders, regardless of letter case and apostrophes', async () => {
    const folderId = await folder('Пошук')
    await insertFiles(owner, [
      { parentId: folderId, name: 'М’ята 100%_осінь.PNG', kind: 'image', size: 5000 },
      { parentId: folderId, name: 'м’якуш.mp3', kind: 'audio', size: 100 },
    ])
    for (const search of ["м'ята", 'мʼЯТ', '100%_', '%_осінь.png']) expect(await names({ search })).toHaveLength(1)
    expect(await names({ search: '0_%' })).toEqual([])
    const [row] = (await listFiles(owner, { search: 'М’ЯКУШ' })).rows
    expect(row).toMatchObject({ parentName: 'Пошук' })
    expect(await names({ search: 'пошук' })).toEqual(['Пошук'])
  })

  test('filters by kind, use and size', async () => {
    const [used = ''] = await insertFiles(owner, [{ name: 'Вжито.pdf', kind: 'doc', size: 7_000_000 }])
    await insertFiles(owner, [{ name: 'Вільно.pdf', kind: 'doc', size: 9_000_000 }])
    await insertFileUse(owner, used, 'Урок')
    expect(await names({ kind: 'doc' })).toEqual(['Вжито.pdf', 'Вільно.pdf'])
    expect(await names({ kind: 'doc', use: 'unused' })).toEqual(['Вільно.pdf'])
    expect(await names({ kind: 'doc', use: 'used' })).toEqual(['Вжито.pdf'])
    expect(await names({ minSize: 8_000_000 })).toEqual(['Вільно.pdf'])
    expect(await names({ kind: 'folder', search: 'черга' })).toEqual(['Черга'])
  })
})

describe('access is refused', () => {
  test.each(ROLES)('to %s unless they manage content', async (role) => {
    const outcome = listFiles(ours.as[role], {}).then(
      () => 'allowed',
      (error) => error.code,
    )
    expect(await outcome).toBe(['OWNER', 'DIRECTOR', 'EXPERT'].includes(role) ? 'allowed' : 'forbidden')
  })

  test('for a folder of another tenant, a file in place of a folder, and a forged cursor', async () => {
    const folderId = await folder('Наша')
    const [fileId = ''] = await insertFiles(owner, [{ parentId: folderId, name: 'a.txt' }])
    await expect(listFiles(theirs.as.OWNER, { folderId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(getFile(theirs.as.OWNER, { fileId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(listFiles(owner, { folderId: fileId })).rejects.toMatchObject({ code: 'not_found' })
    const marks = ['x', Buffer.from('["file","1",2]').toString('base64url'), Buffer.from('{}').toString('base64url')]
    for (const cursor of marks) await expect(listFiles(owner, { cursor })).rejects.toMatchObject({ code: 'invalid' })
    expect((await listFiles(theirs.as.OWNER, {})).rows).toEqual([])
  })
})
