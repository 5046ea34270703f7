import { createDeviceDraftStore, deleteDraft, listDrafts, readDraft } from '#islands/stores/draft/device-draft-store.ts'
import { onPage } from '#islands/stores/page.ts'

/*
 * Stores the title of a new test or question bank on this device until it is created, so that a closed tab, a lost
 * connection or an expired session loses nothing.
 */
onPage(() => {
  const owner = document.querySelector<HTMLElement>('[data-drafts]')?.dataset.drafts
  if (owner) void removeCreated(owner)
  const ends = [...document.querySelectorAll<HTMLFormElement>('form[data-title-draft]')].map(keepTitle)
  return () => {
    for (const end of ends) end?.()
  }
})

/** The id is stored too: the same form sent again creates nothing twice. */
interface NewTitle {
  id: string
  title: string
}

function keepTitle(form: HTMLFormElement): (() => void) | undefined {
  const { titleDraft: owner, draftKey: key, draftTitle: title = '', idField = '' } = form.dataset
  const field = form.querySelector<HTMLInputElement>('input[name=title]')
  const idInput = form.querySelector<HTMLInputElement>(`input[name="${idField}"]`)
  if (!owner || !key || !field || !idInput) return
  const store = createDeviceDraftStore<NewTitle>(owner, key)
  const href = location.pathname + location.search
  const write = () => {
    const value = { id: idInput.value, title: field.value }
    void (field.value === ''
      ? store.remove()
      : store.write({ title, href, value, baseVersion: 0, changedAt: Date.now() }))
  }
  const restore = async () => {
    for (const draft of await store.listAbandoned()) {
      const { id, title: typed } = draft.record.value
      if (field.value === '' && !isCreated(id)) {
        field.value = typed
        idInput.value = id
      }
      await store.removeAbandoned(draft)
    }
    if (field.value !== '') write()
  }
  void restore()
  field.addEventListener('input', write)
  return () => {
    field.removeEventListener('input', write)
    store.close()
  }
}

/** The page of a new test has no form that would remove its draft. */
async function removeCreated(owner: string): Promise<void> {
  for (const { slot, key } of await listDrafts(owner)) {
    if (!key.startsWith('quiz/new')) continue
    const value = (await readDraft(slot)) as NewTitle | undefined
    if (value && isCreated(value.id)) await deleteDraft(slot)
  }
}

/** Whether the page shows what a draft has created. */
const isCreated = (id: string): boolean =>
  location.search.includes(id) ||
  document.querySelector(`a[href*="${id}"], form:not([data-title-draft]) input[value="${id}"]`) !== null
