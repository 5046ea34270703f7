import { deviceStorage } from '#islands/stores/safe-storage.ts'

/* The unsent answer to each item stays on this device, in local storage. */

const answerDraftKey = (owner: string, item: string): string => `inbox/draft ${owner} ${item}`

/** Shows the stored answer in an empty field, and stores what is typed. */
export function keepAnswerDraft(field: HTMLTextAreaElement, owner: string, item: string): () => void {
  if (field.value === '') field.value = deviceStorage.getItem(answerDraftKey(owner, item)) ?? ''
  const store = () => {
    if (field.value.trim() === '') deviceStorage.removeItem(answerDraftKey(owner, item))
    else deviceStorage.setItem(answerDraftKey(owner, item), field.value)
  }
  store()
  field.addEventListener('input', store)
  return () => field.removeEventListener('input', store)
}

/** Removes the answer to an item that was sent. */
export const removeAnswerDraft = (owner: string, item: string): void =>
  deviceStorage.removeItem(answerDraftKey(owner, item))
