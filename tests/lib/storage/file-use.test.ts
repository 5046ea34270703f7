import { beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { attachFiles, detachFiles, listUses } from '#lib/storage/file-use.ts'
import { createStorageFolder } from '#lib/storage/folders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { uploadFile } from '../../setup/uploads.ts'

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

const uploadText = async (school: TestTenant = ours): Promise<string> =>
  (await uploadFile(school.as.OWNER, 'a.txt', new Uint8Array([97]))).id

const usesOf = async (fileId: string) => (await listUses(ours.as.OWNER, { fileId })).map(({ title }) => title)

test('an object uses exactly the files it names, however often it declares them', async () => {
  const { OWNER } = ours.as
  const [first, two] = [await uploadText(), await uploadText()]
  const lesson = { kind: 'lesson', id: newId(), title: 'Урок' } as const
  const course = { kind: 'course', id: lesson.id, title: 'Курс' } as const
  for (const _ of ['once', 'twice']) await attachFiles(OWNER, lesson, [first, two, first])
  await attachFiles(OWNER, course, [first])
  expect([await usesOf(first), await usesOf(two)]).toEqual([['Курс', 'Урок'], ['Урок']])
  await attachFiles(OWNER, { ...lesson, title: 'Інакше' }, [two])
  expect([await usesOf(first), await usesOf(two)]).toEqual([['Курс'], ['Інакше']])
  await Promise.all([1, 2, 3].map(() => attachFiles(OWNER, lesson, [first])))
  expect([await usesOf(first), await usesOf(two)]).toEqual([['Курс', 'Урок'], []])
  for (const _ of ['once', 'twice']) await detachFiles(OWNER, { kind: 'lesson', id: lesson.id })
  expect(await usesOf(first)).toEqual(['Курс'])
})

test('ids of folders, of another tenant and unknown ids are ignored', async () => {
  const { OWNER } = ours.as
  const foreign = await uploadText(theirs)
  const { folderId: folder } = await createStorageFolder(OWNER, { parentId: null, name: 'Тека' })
  const own = await uploadText()
  const user = { kind: 'lesson', id: newId(), title: 'Урок' } as const
  await attachFiles(OWNER, user, [foreign, folder, newId(), own])
  expect([await usesOf(own), await usesOf(folder)]).toEqual([['Урок'], []])
  expect(await listUses(theirs.as.OWNER, { fileId: foreign })).toEqual([])
  await attachFiles(theirs.as.OWNER, { ...user, title: 'Чужий' }, [foreign])
  await detachFiles(OWNER, user)
  expect(await listUses(theirs.as.OWNER, { fileId: foreign })).toHaveLength(1)
})

test('the uses of a file are visible to those who manage files of its school', async () => {
  const fileId = await uploadText()
  await expect(listUses(ours.as.CURATOR, { fileId })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(listUses(theirs.as.OWNER, { fileId })).rejects.toMatchObject({ code: 'not_found' })
})
