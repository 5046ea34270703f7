import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { createStorageFolder } from '#lib/storage/folders.ts'
import { layOutEntries, openZipDownload, prepareZip } from '#lib/storage/zip.ts'
import { storeFile } from '../../setup/files.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { unzipTexts } from '../../setup/unzip.ts'

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
})

const partsOf = (address: string) => {
  const [, token = '', selection = ''] = /^\/v1\/zip\/([^/]+)\/([^/]+)$/.exec(address) ?? []
  return { token, selection }
}
const node = (id: string, name: string, parentId: string | null = null, folder = false) => ({
  id,
  name,
  parentId,
  folder,
  size: 1,
  updatedAt: new Date(),
})

test('contains a selection with its folders, byte for byte, and has the announced length', async () => {
  const { folderId } = await createStorageFolder(owner, { parentId: null, name: 'Тека «А»' })
  const inner = await createStorageFolder(owner, { parentId: folderId, name: 'Порожня' })
  const long = Buffer.alloc(300_000, 'абв')
  await storeFile(owner, { parentId: folderId, name: 'Відео.mp4', bytes: long })
  await storeFile(owner, { parentId: folderId, name: 'їжак.txt', bytes: 'один' })
  await storeFile(owner, { parentId: folderId, name: 'їжак.txt', bytes: 'два' })
  const alone = await storeFile(owner, { name: 'Окремо.txt', bytes: 'три' })
  const { address, files, size } = await prepareZip(owner, { fileIds: [folderId, alone, inner.folderId] })
  expect(files).toBe(4)
  const zip = await openZipDownload(owner, partsOf(address))
  const bytes = await buffer(zip.body)
  expect([zip.size, bytes.length]).toEqual([size, size])
  expect(zip.name).toBe('Школа.zip')
  expect(unzipTexts(bytes)).toEqual({
    'Тека «А»/': '',
    'Тека «А»/Відео.mp4': long.toString(),
    'Тека «А»/Порожня/': '',
    ...contents,
    'Окремо.txt': 'три',
  })
})

const contents = { 'Тека «А»/їжак.txt': 'один', 'Тека «А»/їжак (2).txt': 'два' }

test('can be downloaded by the requesting session, in its school, and by nobody else', async () => {
  const id = await storeFile(owner, { name: 'a.txt', bytes: 'a' })
  const parts = partsOf((await prepareZip(owner, { fileIds: [id] })).address)
  const refused = { code: 'not_found' }
  await expect(openZipDownload(ours.as.DIRECTOR, parts)).rejects.toMatchObject(refused)
  await expect(openZipDownload({ ...theirs.as.OWNER, viewer: owner.viewer }, parts)).rejects.toMatchObject(refused)
  await expect(openZipDownload(owner, { ...parts, selection: `${parts.selection}AAAA` })).rejects.toMatchObject(refused)
  await expect(openZipDownload(ours.as.CURATOR, parts)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(prepareZip(theirs.as.OWNER, { fileIds: [id] })).rejects.toMatchObject(refused)
  const { folderId } = await createStorageFolder(owner, { parentId: null, name: 'Порожньо' })
  await expect(prepareZip(owner, { fileIds: [folderId] })).rejects.toMatchObject({ code: 'unprocessable' })
})

test('has unique paths, none of which leaves the extraction folder', () => {
  const nodes = [
    node('1', '..', null, true),
    node('2', 'a/b\\c:d.txt', '1'),
    node('3', 'План'),
    node('4', 'план'),
    node('5', ' . '),
  ]
  expect(layOutEntries(nodes, ['1', '3', '4', '5']).map(({ name }) => name)).toEqual([
    '_/',
    '_/a_b_c_d.txt',
    'План',
    'план (2)',
    '_ (2)',
  ])
})
