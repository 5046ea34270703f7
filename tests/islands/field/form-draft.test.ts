import { Window } from 'happy-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bindFormDraft } from '#islands/field/form-draft.ts'
import { type FakeDatabase, stubIndexedDb } from '../stores/fake-indexed-db.ts'

const REFUSED = 'data-refused=""'
const SAVED = 'data-saved=""'
const PAGE = 'https://school.test/settings'

let device: FakeDatabase
let page: { window: Window; close: () => void }

/** A page with the forms, as the server renders it. The storage of the tab and of the device stay. */
function openPage(url: string, html: string): HTMLFormElement[] {
  const storage = page?.window.sessionStorage
  const window = new Window({ url })
  for (const [key, value] of Object.entries({ ...storage })) window.sessionStorage.setItem(key, String(value))
  window.document.body.innerHTML = html
  const names = ['document', 'location', 'sessionStorage', 'localStorage', 'FormData', 'Event'] as const
  for (const name of names) vi.stubGlobal(name, window[name])
  const controls = ['HTMLInputElement', 'HTMLTextAreaElement', 'HTMLSelectElement', 'HTMLElement'] as const
  for (const name of controls) vi.stubGlobal(name, window[name])
  vi.stubGlobal('window', window)
  vi.stubGlobal('navigator', {})
  const forms = [...document.querySelectorAll('form')]
  const close = forms.map((form) => bindFormDraft(form))
  page = { window, close: () => close.map((closeDraft) => closeDraft()) }
  return forms
}

/** The tab leaves the page; the locks of its drafts are released. */
async function leavePage() {
  page.close()
  await vi.waitFor(() => expect(storedTexts().length).toBeGreaterThan(0))
}

const formOf = (key: string, text: string, state = '') =>
  `<form data-owner="member" data-draft-key="${key}" ${state}>
     <input name="version" value="3"><input name="title" value="${text}"><p data-restored hidden><button type="button"></button></p>
   </form>`

const titleOf = (form: HTMLFormElement | undefined) => form?.querySelector<HTMLInputElement>('[name=title]')

function type(form: HTMLFormElement | undefined, text: string) {
  const field = titleOf(form)
  if (field) field.value = text
  form?.dispatchEvent(new Event('input'))
}

const storedTexts = () =>
  [...device.values].map(([key, record]) => {
    const { value } = record as { value: { title: string[] } }
    return `${key.replace(/^drafts member |#.*$/g, '')}: ${value.title.join()}`
  })

beforeEach(() => {
  device = stubIndexedDb()
})

afterEach(() => vi.unstubAllGlobals())

test('a text that was typed before the page was left is restored with the version that it is based on', async () => {
  const [form] = openPage(PAGE, formOf('contacts', 'saved'))
  type(form, 'typed')
  await leavePage()
  const [next] = openPage(PAGE, formOf('contacts', 'saved').replace('value="3"', 'value="4"'))
  await vi.waitFor(() => expect(titleOf(next)?.value).toBe('typed'))
  expect(next?.querySelector<HTMLInputElement>('[name=version]')?.value).toBe('3')
  expect(next?.querySelector<HTMLElement>('[data-restored]')?.hidden).toBe(false)
})

test('the values of a refused form are stored on the device again', async () => {
  const [form] = openPage(PAGE, formOf('contacts', 'saved'))
  type(form, 'earlier text')
  await leavePage()
  // The server shows what was submitted, which is newer than the stored draft.
  openPage(PAGE, formOf('contacts', 'refused text', REFUSED))
  await vi.waitFor(() => expect(storedTexts()).toEqual(['contacts: refused text']))
})

test('a message of success removes the draft of the submitted form, and not that of another form of the page', async () => {
  const both = formOf('contacts', 'saved') + formOf('address', 'saved')
  const [contacts, address] = openPage(PAGE, both)
  type(contacts, 'new contacts')
  type(address, 'new address')
  await leavePage()
  const [submitted] = openPage(PAGE, both)
  await vi.waitFor(() => expect(titleOf(submitted)?.value).toBe('new contacts'))
  submitted?.dispatchEvent(new Event('submit'))
  await leavePage()
  const [saved, other] = openPage(
    `${PAGE}?notice=saved`,
    formOf('contacts', 'new contacts') + formOf('address', 'saved'),
  )
  await vi.waitFor(() => expect(storedTexts()).toEqual(['address: new address']))
  expect(titleOf(saved)?.value).toBe('new contacts')
  expect(titleOf(other)?.value).toBe('new address')
})

test('a form that the server marks as saved has no draft any more', async () => {
  const [form] = openPage(PAGE, formOf('contacts', 'saved'))
  type(form, 'typed')
  await leavePage()
  openPage(PAGE, formOf('contacts', 'typed', SAVED))
  await vi.waitFor(() => expect(storedTexts()).toEqual([]))
})

test('after a saved form only the newest draft is removed: drafts of other closed tabs are offered one after another', async () => {
  const [first] = openPage(PAGE, formOf('contacts', 'saved'))
  type(first, 'first tab')
  await leavePage()
  const [second] = openPage(PAGE, formOf('contacts', 'first tab'))
  type(second, 'second tab')
  page.close()
  await vi.waitFor(() => expect(storedTexts()).toHaveLength(2))
  openPage(PAGE, formOf('contacts', 'second tab', SAVED))
  await vi.waitFor(() => expect(storedTexts()).toEqual(['contacts: first tab']))
  page.close()
  const [next] = openPage(PAGE, formOf('contacts', 'second tab'))
  await vi.waitFor(() => expect(titleOf(next)?.value).toBe('first tab'))
})

test('a restored draft that was changed and saved is not offered again', async () => {
  const [first] = openPage(PAGE, formOf('contacts', 'saved'))
  type(first, 'first text')
  await leavePage()
  const [second] = openPage(PAGE, formOf('contacts', 'saved'))
  await vi.waitFor(() => expect(titleOf(second)?.value).toBe('first text'))
  type(second, 'second text')
  page.close()
  await vi.waitFor(() => expect(storedTexts()).toEqual(['contacts: second text']))
  openPage(PAGE, formOf('contacts', 'second text', SAVED))
  await vi.waitFor(() => expect(storedTexts()).toEqual([]))
})
