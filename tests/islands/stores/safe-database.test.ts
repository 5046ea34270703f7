import { afterEach, expect, test, vi } from 'vitest'
import { createDeviceOutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'
import { openDatabase } from '#islands/stores/safe-database.ts'
import { memoryStorage } from './browser.ts'

// Node has no IndexedDB: no write is committed, as when the page is left immediately after it.
function stubLocalStorage(): Map<string, string> {
  const entries = new Map<string, string>()
  const stored = {
    ...memoryStorage(),
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }
  vi.stubGlobal('localStorage', stored)
  return entries
}

afterEach(() => vi.unstubAllGlobals())

const openJournaled = <T>() => openDatabase<T>('journal-test', 'pairs', { isJournaled: true })

test('a write that was not committed before the page was left is there on the next page', async () => {
  stubLocalStorage()
  void openJournaled<string>().put('answer', 'typed')
  expect(await openJournaled<string>().entries()).toEqual([['answer', 'typed']])
  expect(await openJournaled<string>().get('answer')).toBe('typed')
})

test('a value that was removed does not come back from the journal', async () => {
  const entries = stubLocalStorage()
  void openJournaled<number>().put('answer', 1)
  await openJournaled<number>().remove('answer', (value) => value === 1)
  expect(await openJournaled<number>().get('answer')).toBe(1)
  await openJournaled<number>().remove('answer')
  expect(await openJournaled<number>().entries()).toEqual([])
  expect(entries.size).toBe(0)
})

test('a value without a journal, such as a recording, writes nothing into localStorage', async () => {
  const entries = stubLocalStorage()
  await openDatabase<string>('journal-test', 'chunks').put('chunk', 'bytes')
  expect(entries.size).toBe(0)
})

test('a value that is too long for localStorage replaces the shorter one of the journal', async () => {
  const entries = stubLocalStorage()
  const database = openJournaled<string>()
  await database.put('text', 'short')
  await database.put('text', 'x'.repeat(300_000))
  expect(entries.size).toBe(0)
  expect((await database.get('text'))?.length).toBe(300_000)
})

test('an outbox sends what was queued immediately before the page was left', async () => {
  stubLocalStorage()
  const item = { id: '1', payload: 'word', state: 'waiting', cause: null, reason: null, dueAt: 0 } as const
  void createDeviceOutboxStorage<string>('outbox-test', 'waiting', 'student').put(item)
  const next = createDeviceOutboxStorage<string>('outbox-test', 'waiting', 'student')
  expect((await next.loadItems()).map(({ payload }) => payload)).toEqual(['word'])
  expect(await createDeviceOutboxStorage<string>('outbox-test', 'waiting', 'other').loadItems()).toEqual([])
})
