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
  database.values.clear()
})

const storedTexts = () => [...database.values.values()].map((record) => (record as DraftRecord<string>).value)

const ownDrafts = async (isArchived: boolean) =>
  (await listDrafts('member')).filter((draft) => draft.isArchived === isArchived)

/** A field with a text, whose draft is bound as on a page. */
function openField(text = '', wasSaved = false) {
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
    wasSaved,
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
  await vi.waitFor(() => expect(database.values.has(CLOSED_TAB)).toBe(false))
  expect(field.value).toBe('Нове')
  type('Нове слово')
  await vi.waitFor(() => expect(storedTexts()).toContain('Нове слово'))
  expect(await ownDrafts(false)).toMatchObject([{ key: 'note', title: 'Нотатка', href: '/note' }])
  type('')
  await vi.waitFor(() => expect(storedTexts()).not.toContain('Нове слово'))
  stop()
})

test('a draft that the field does not show stays in the list of drafts', async () => {
  // The other text is archived with the time of the draft, which is older than thirty days there.
  const changedAt = Date.now()
  database.values.set(CLOSED_TAB, { value: 'Чернетка', changedAt, baseVersion: 0, title: 'Нотатка', href: '/note' })
  database.values.set(`${CLOSED_TAB}7`, {
    value: 'Друга',
    changedAt: changedAt - 1,
    baseVersion: 0,
    title: '',
    href: '',
  })
  const { field, stop } = openField()
  await vi.waitFor(() => expect(database.values.has(`${CLOSED_TAB}7`)).toBe(false))
  expect(field.value).toBe('Чернетка')
  expect(await ownDrafts(true)).toHaveLength(1)
  expect(storedTexts().sort()).toEqual(['Друга', 'Чернетка'])
  stop()
})

test('after a save only the newest draft is removed', async () => {
  const changedAt = Date.now()
  database.values.set(`${CLOSED_TAB}7`, { value: 'Збережена', changedAt, baseVersion: 0, title: '', href: '' })
  const { field, stop } = openField('', true)
  await vi.waitFor(() => expect(storedTexts()).toEqual(['Чернетка']))
  expect(field.value).toBe('Чернетка')
  stop()
})
