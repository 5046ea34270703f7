import { bindTextDraft } from '#islands/stores/draft/text-draft.ts'
import { onPage } from '#islands/stores/page.ts'

/* Stores the text of a new note about a student until it is saved. */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-note-draft]')
  const field = form?.querySelector('textarea')
  const { noteDraft: owner, draftKey: key, draftTitle: title = '', draftSaved } = form?.dataset ?? {}
  if (!field || !owner || !key) return undefined
  return bindTextDraft<string>({
    owner,
    key,
    title,
    href: `${location.pathname}?tab=notes`,
    fields: field,
    readValue: () => field.value || null,
    showDraft(text) {
      if (field.value === '') field.value = text
    },
    wasSaved: draftSaved !== undefined,
  })
})
