import { createDeviceDraftStore } from '#islands/stores/draft/device-draft-store.ts'
import { removeSavedDrafts } from '#islands/stores/draft/remove-saved.ts'

/* The unsent answer to each item is a draft of this device, which the list of drafts shows. */

interface AnswerDraft {
  body: string
}

const answerDraftKey = (item: string): string => `inbox/answer/${item}`

/** Shows the stored answer in an empty field, and stores what is typed. */
export function keepAnswerDraft(field: HTMLTextAreaElement, owner: string, item: string): () => void {
  const store = createDeviceDraftStore<AnswerDraft>(owner, answerDraftKey(item))
  const title = field.dataset.title ?? ''
  const write = () => {
    const body = field.value
    const href = `${location.pathname}${location.search}`
    const record = { title, href, value: { body }, baseVersion: 0, changedAt: Date.now() }
    void (body.trim() === '' ? store.remove() : store.write(record))
  }
  const restore = async () => {
    for (const draft of await store.listAbandoned()) {
      if (field.value.trim() === '') field.value = draft.record.value.body
      await store.removeAbandoned(draft)
    }
    write()
  }
  void restore()
  field.addEventListener('input', write)
  return () => {
    field.removeEventListener('input', write)
    store.close()
  }
}

/** Removes the answer to an item that was sent. */
export const removeAnswerDraft = (owner: string, item: string): Promise<void> =>
  removeSavedDrafts(owner, [answerDraftKey(item)])
