import { removeSavedDrafts } from '#islands/stores/draft/remove-saved.ts'
import { bindTextDraft } from '#islands/stores/draft/text-draft.ts'

/* The unsent answer to each item is a draft of this device, which the list of drafts shows. */

interface AnswerDraft {
  body: string
}

const answerDraftKey = (item: string): string => `inbox/answer/${item}`

/** Shows the stored answer in an empty field, and stores what is typed. */
export function bindAnswerDraft(field: HTMLTextAreaElement, owner: string, item: string): () => void {
  const isEmpty = () => field.value.trim() === ''
  return bindTextDraft<AnswerDraft>({
    owner,
    key: answerDraftKey(item),
    title: field.dataset.title ?? '',
    fields: field,
    readValue: () => (isEmpty() ? null : { body: field.value }),
    showDraft({ body }) {
      if (isEmpty()) field.value = body
    },
  })
}

/** Removes the answer to an item that was sent. */
export const removeAnswerDraft = (owner: string, item: string): Promise<void> =>
  removeSavedDrafts(owner, [answerDraftKey(item)])
