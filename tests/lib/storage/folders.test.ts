import { beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createStorageFolder, ensureFolders, moveFiles } from '#lib/storage/folders.ts'
import { insertFiles } from '../../setup/files.ts'
import { listFiles, renameFile } from '../../setup/parsed/storage.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
})

const folder = async (name: string, parentId: string | null = null, actor = owner) =>
  (await createStorageFolder(actor, { parentId, name })).folderId
const names = async (folderId: string | null) => (await listFiles(owner, { folderId })).rows.map(({ name }) => name)
const codeOf = (action: Promise<unknown>) =>
  action.then(
    () => 'done',
    (error) => error.code,
  )

describe('a folder', () => {
  test('is created once per name, by two people at once too', async () => {
    const parentId = await folder('Двічі')
    const both = await Promise.all([1, 2].map(() => codeOf(createStorageFolder(owner, { parentId, name: 'Одна' }))))
    expect(both.sort()).toEqual(['done', 'unprocessable'])
    expect(await names(parentId)).toEqual(['Одна'])
  })

  test('is created together with its missing parents', async () => {
    const parentId = await folder('Кинуто')
    const once = await ensureFolders(owner, { parentId, names: ['Фото', '2026', 'Осінь'] })
    expect(await ensureFolders(owner, { parentId, names: ['Фото', '2026', 'Осінь'] })).toEqual(once)
    const { path } = await listFiles(owner, { folderId: once.folderId })
    expect(path.map(({ name }) => name)).toEqual(['Кинуто', 'Фото', '2026', 'Осінь'])
  })
})

describe('a name', () => {
  test('keeps its extension unless it is changed explicitly', async () => {
    const [fileId = ''] = await insertFiles(owner, [{ name: 'Старе.PDF' }])
    expect(await renameFile(owner, { fileId, name: ' Нове ' })).toEqual({ name: 'Нове.PDF', before: 'Старе.PDF' })
    expect((await renameFile(owner, { fileId, name: 'Нове.pdf' })).name).toBe('Нове.pdf')
    expect((await renameFile(owner, { fileId, name: 'Урок 1.5' })).name).toBe('Урок 1.5.pdf')
    expect((await renameFile(owner, { fileId, name: 'x.txt', keepExtension: false })).name).toBe('x.txt')
  })

  test('is unique among the folders of one parent', async () => {
    const parentId = await folder('Імена')
    await folder('А', parentId)
    const second = await folder('Б', parentId)
    await expect(renameFile(owner, { fileId: second, name: 'А' })).rejects.toMatchObject({ code: 'unprocessable' })
    expect((await renameFile(owner, { fileId: second, name: 'Б.1' })).name).toBe('Б.1')
  })
})

describe('moving', () => {
  test('moves files and folders, and returns their previous places', async () => {
    const [from, to] = [await folder('Звідки'), await folder('Куди')]
    const inner = await folder('Тека', from)
    const [fileId = ''] = await insertFiles(owner, [{ parentId: from, name: 'a.txt' }])
    const { outcomes } = await moveFiles(owner, { fileIds: [fileId, inner], folderId: to })
    expect(outcomes).toMatchObject([
      { fileId, done: true, previousFolderId: from },
      { fileId: inner, done: true, previousFolderId: from },
    ])
    expect(await names(to)).toEqual(['Тека', 'a.txt'])
    await moveFiles(owner, { fileIds: [fileId, inner], folderId: to })
    expect(await names(from)).toEqual([])
  })

  test('never moves a folder into itself or a descendant, not even with two concurrent moves', async () => {
    const a = await folder('Коло А')
    const b = await folder('Коло Б', a)
    const { outcomes } = await moveFiles(owner, { fileIds: [a], folderId: b })
    expect(outcomes).toMatchObject([{ done: false, reason: 'into_itself' }])
    const [c, d] = [await folder('Коло В'), await folder('Коло Г')]
    await Promise.all([
      moveFiles(owner, { fileIds: [c], folderId: d }),
      moveFiles(owner, { fileIds: [d], folderId: c }),
    ])
    const topFolders = await names(null)
    expect(topFolders.filter((name) => name === 'Коло В' || name === 'Коло Г')).toHaveLength(1)
  })

  test('skips a folder whose name is taken and missing items, and moves the rest', async () => {
    const to = await folder('Зайнято')
    await folder('План', to)
    const other = await folder('Інша')
    const clash = await folder('План', other)
    const [fileId = ''] = await insertFiles(owner, [{ parentId: other, name: 'План' }])
    const strange = await folder('Чуже', null, theirs.as.OWNER)
    const { outcomes } = await moveFiles(owner, { fileIds: [clash, fileId, strange], folderId: to })
    expect(outcomes.map(({ reason }) => reason)).toEqual(['name_taken', null, 'not_found'])
    expect(await names(to)).toEqual(['План', 'План'])
    expect(await codeOf(moveFiles(owner, { fileIds: [strange], folderId: to }))).toBe('not_found')
    expect(await codeOf(moveFiles(owner, { fileIds: [fileId], folderId: strange }))).toBe('not_found')
  })
})

test.each(ROLES)('%s changes files only with the permission to manage content and an active plan', async (role) => {
  const [fileId = ''] = await insertFiles(owner, [{ name: `${role}.txt` }])
  const actor = ours.as[role]
  const may = ['OWNER', 'DIRECTOR', 'EXPERT'].includes(role)
  const actions = (as: Actor) => [
    () => createStorageFolder(as, { parentId: null, name: `Від ${role}` }),
    () => ensureFolders(as, { parentId: null, names: [`Від ${role}`] }),
    () => renameFile(as, { fileId, name: 'x' }),
    () => moveFiles(as, { fileIds: [fileId], folderId: null }),
  ]
  for (const action of actions(actor)) expect(await codeOf(action())).toBe(may ? 'done' : 'forbidden')
  const lapsed = { ...actor, plans: [] }
  for (const action of actions(lapsed)) expect(await codeOf(action())).toBe(may ? 'plan_inactive' : 'forbidden')
})
