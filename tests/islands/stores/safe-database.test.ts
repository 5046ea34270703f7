import { afterEach, describe, expect, test, vi } from 'vitest'
import { createDeviceOutboxStorage } from '#islands/stores/outbox/outbox-storage.ts'
import { openDatabase } from '#islands/stores/safe-database.ts'
import { stubIndexedDb, stubLocalStorage } from './fake-indexed-db.ts'

// Node has no IndexedDB: unless it is stubbed no write is committed, as when the page is left immediately after it.

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

describe('a value of another tab that is not committed yet', () => {
  const JOURNALED = 'journal/journal-test/pairs/draft'

  test('is read without a write to the database or the journal', async () => {
    const database = stubIndexedDb()
    const entries = stubLocalStorage()
    entries.set(JOURNALED, '"typed"')
    const tab = openJournaled<string>()
    expect(await tab.entries()).toEqual([['draft', 'typed']])
    expect(await tab.get('draft')).toBe('typed')
    expect(database.writes).toBe(0)
    expect([...entries]).toEqual([[JOURNALED, '"typed"']])
  })

  test('does not replace a newer one that was committed before this tab has noticed it', async () => {
    const database = stubIndexedDb()
    stubLocalStorage().set(JOURNALED, '"first"')
    database.values.set('pairs draft', 'second')
    await openJournaled<string>().entries()
    expect(database.values.get('pairs draft')).toBe('second')
  })

  test('is removed together with an older one of the database, which stays when it is newer', async () => {
    const database = stubIndexedDb()
    const entries = stubLocalStorage()
    for (const [journaled, committed, left] of [
      [2, 1, []],
      [2, 2, []],
      [2, 3, [3]],
    ] as const) {
      entries.set(JOURNALED, String(journaled))
      database.values.set('pairs draft', committed)
      await openJournaled<number>().remove('draft', (value) => value > 2)
      expect([...database.values.values()]).toEqual(left)
      expect(entries.size).toBe(0)
      database.values.clear()
    }
  })
})

test('a committed write leaves the journal, and the next page reads it from the database', async () => {
  const database = stubIndexedDb()
  const entries = stubLocalStorage()
  const writing = openJournaled<string>()
  const [first, second] = [writing.put('draft', 'first'), writing.put('draft', 'second')]
  expect([...entries.values()]).toEqual(['"second"'])
  expect(await Promise.all([first, second])).toEqual([true, true])
  expect(entries.size).toBe(0)
  expect(database.values.get('pairs draft')).toBe('second')
  expect(await openJournaled<string>().entries()).toEqual([['draft', 'second']])
})
