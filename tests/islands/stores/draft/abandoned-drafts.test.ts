import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeviceDraftStore, listDrafts } from '#islands/stores/draft/device-draft-store.ts'
import type { DraftRecord } from '#islands/stores/draft/draft-record.ts'
import { type FakeDatabase, stubIndexedDb, stubLocalStorage } from '../fake-indexed-db.ts'

const SLOT = 'member lesson/1#7'
const JOURNALED = `journal/kafedra-drafts/drafts/${SLOT}`
const record = (value: string, changedAt: number): DraftRecord<string> => ({
  value,
  changedAt,
  baseVersion: 1,
  title: 'Lesson',
  href: '/course',
})

const database: FakeDatabase = stubIndexedDb()
let entries: Map<string, string>
beforeEach(() => {
  database.values.clear()
  entries = stubLocalStorage()
  globalThis.window ??= Object.assign(new EventTarget(), {}) as Window & typeof globalThis
})
afterEach(() => vi.unstubAllGlobals())

test('the last words of a tab that crashed before they were committed are restored, and no older copy follows', async () => {
  database.values.set(`drafts ${SLOT}`, record('Перше', 1))
  entries.set(JOURNALED, JSON.stringify(record('Перше слово', 2)))
  const store = createDeviceDraftStore<string>('member', 'lesson/1')
  const [draft, ...more] = await store.listAbandoned()
  expect(draft?.record.value).toBe('Перше слово')
  expect(more).toEqual([])
  if (draft) await store.removeAbandoned(draft)
  expect(await store.listAbandoned()).toEqual([])
  expect(await listDrafts('member')).toEqual([])
  store.close()
})

test('a draft that has changed since it was restored stays', async () => {
  database.values.set(`drafts ${SLOT}`, record('Перше', 1))
  const store = createDeviceDraftStore<string>('member', 'lesson/1')
  const [draft] = await store.listAbandoned()
  entries.set(JOURNALED, JSON.stringify(record('Перше слово', 2)))
  if (draft) await store.removeAbandoned(draft)
  expect((await store.listAbandoned()).map((each) => each.record.value)).toEqual(['Перше слово'])
  store.close()
})
