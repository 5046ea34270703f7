import { createDeviceDraftStore } from '#islands/stores/draft/device-draft-store.ts'
import { onPage } from '#islands/stores/page.ts'

/*
 * Stores the text of a new note on this device until it is saved, so that a closed tab, a lost connection or an expired
 * session loses nothing.
 */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-note-draft]')
  const field = form?.querySelector('textarea')
  const { noteDraft: owner, draftKey: key, draftTitle: title = '' } = form?.dataset ?? {}
  return form && field && owner && key ? keepDraft(form, field, { owner, key, title }) : undefined
})

function keepDraft(
  form: HTMLFormElement,
  field: HTMLTextAreaElement,
  { owner, key, title }: { owner: string; key: string; title: string },
): () => void {
  const store = createDeviceDraftStore<string>(owner, key)
  const href = `${location.pathname}?tab=notes`
  const isSaved = form.dataset.draftSaved !== undefined
  const write = () => {
    const record = { title, href, value: field.value, baseVersion: 0, changedAt: Date.now() }
    void (field.value === '' ? store.remove() : store.write(record))
  }
  const restore = async () => {
    for (const draft of await store.listAbandoned()) {
      if (!isSaved && field.value === '') field.value = draft.record.value
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
