import { describe, expect, test } from 'vitest'
import { createDeviceDraftStore, listDrafts, readDraft } from '#islands/stores/draft/device-draft-store.ts'
import { openDatabase } from '#islands/stores/safe-database.ts'
import { readJson, tabStorage, withFallback, writeJson } from '#islands/stores/safe-storage.ts'
import { memoryStorage } from './browser.ts'

const denied = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

describe('storage that the browser refuses', () => {
  test('holds values in memory where the storage itself is denied', () => {
    const storage = withFallback(denied)
    storage.setItem('a', '1')
    expect(storage.getItem('a')).toBe('1')
    storage.removeItem('a')
    expect(storage.getItem('a')).toBeNull()
  })

  test('holds in memory what does not fit, and prefers it to the older stored value', () => {
    const small = memoryStorage({ a: 'old' })
    const storage = withFallback(() => ({ ...small, setItem: denied }))
    storage.setItem('a', 'new')
    expect(storage.getItem('a')).toBe('new')
    storage.removeItem('a')
    expect(small.getItem('a')).toBeNull()
  })

  test('writes to the storage where it works', () => {
    const real = memoryStorage()
    withFallback(() => real).setItem('a', '1')
    expect(real.getItem('a')).toBe('1')
  })

  test('reads text that is not JSON as nothing', () => {
    const real = memoryStorage({ a: '{' })
    const storage = withFallback(() => real)
    expect(readJson(storage, 'a')).toBeNull()
    writeJson(storage, 'a', { b: 1 })
    expect(readJson(storage, 'a')).toEqual({ b: 1 })
  })

  test('does not throw where the storage does not exist', () => {
    expect(tabStorage.getItem('nothing')).toBeNull()
  })
})

// Node has no IndexedDB, like a browser that denies it.
describe('a database that the browser refuses', () => {
  test('holds values in memory and reports that the device does not store them', async () => {
    const database = openDatabase<number>('test', 'pairs')
    expect(await database.put('a', 1)).toBe(false)
    expect(await database.update('a', (before = 0) => before + 1)).toBe(false)
    expect(await database.get('a')).toBe(2)
    expect(await database.entries()).toEqual([['a', 2]])
    await database.remove('a', (value) => value === 2)
    expect(await database.get('a')).toBe(2)
    await database.remove('a')
    expect(await database.entries()).toEqual([])
  })
})

describe('drafts without a database', () => {
  test('are found again on the page, while the draft layer gets the information that they are not stored', async () => {
    globalThis.window ??= Object.assign(new EventTarget(), {}) as Window & typeof globalThis
    const draftStore = createDeviceDraftStore<string>('member', 'lesson/1')
    const record = { value: 'text', baseVersion: 1, changedAt: 5, title: 'Lesson', href: '/course' }
    await expect(draftStore.write(record)).rejects.toThrow('does not store')
    const [draft] = await listDrafts('member')
    expect(draft).toMatchObject({ key: 'lesson/1', title: 'Lesson' })
    expect(await readDraft(draft?.slot ?? '')).toBe('text')
    await draftStore.remove()
    expect(await listDrafts('member')).toEqual([])
    draftStore.close()
  })
})
