import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listDrafts } from '#islands/stores/draft/device-draft-store.ts'
import type { DraftRecord } from '#islands/stores/draft/draft-record.ts'
import { bindTextDraft } from '#islands/stores/draft/text-draft.ts'
import { type FakeDatabase, stubIndexedDb, stubLocalStorage } from '../fake-indexed-db.ts'

const CLOSED_TAB = 'drafts member note#7'
const database: FakeDatabase = stubIndexedDb()

beforeEach(() => {
  database.values.clear()
  stubLocalStorage()
  globalThis.window ??= Object.assign(new EventTarget(), {}) as Window & typeof globalThis
  database.values.set(CLOSED_TAB, { value: 'Чернетка', changedAt: 1, baseVersion: 0, title: 'Нотатка', href: '/note' })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const storedTexts = () => [...database.values.values()].map((record) => (record as DraftRecord<string>).value)

/** A field with a text, whose draft is bound as on a page. */
function openField(text = '') {
  const field = Object.assign(new EventTarget(), { value: text })
  const stop = bindTextDraft<string>({
    owner: 'member',
    key: 'note',
    title: 'Нотатка',
    href: '/note',
    fields: field,
    readValue: () => field.value || null,
    showDraft(draft) {
      if (field.value === '') field.value = draft
    },
  })
  const type = (typed: string) => {
    field.value = typed
    field.dispatchEvent(new Event('input'))
  }
  return { field, type, stop }
}

test('the draft of a closed tab is shown, and removed after it was stored for this tab', async () => {
  const storedAtRemoval: string[][] = []
  const remove = database.values.delete.bind(database.values)
  vi.spyOn(database.values, 'delete').mockImplementation((key) => {
    storedAtRemoval.push(storedTexts())
    return remove(key)
  })
  const { field, stop } = openField()
  await vi.waitFor(() => expect(database.values.has(CLOSED_TAB)).toBe(false))
  expect(field.value).toBe('Чернетка')
  expect(storedAtRemoval).toEqual([['Чернетка', 'Чернетка']])
  expect(storedTexts()).toEqual(['Чернетка'])
  stop()
})

test('a text of the page is not replaced, and what is typed is stored until the field is empty', async () => {
  const { field, type, stop } = openField('Нове')
  await vi.waitFor(() => expect(storedTexts()).toEqual(['Нове']))
  expect(field.value).toBe('Нове')
  type('Нове слово')
  await vi.waitFor(() => expect(storedTexts()).toEqual(['Нове слово']))
  expect(await listDrafts('member')).toMatchObject([{ key: 'note', title: 'Нотатка', href: '/note' }])
  type('')
  await vi.waitFor(() => expect(storedTexts()).toEqual([]))
  stop()
})
