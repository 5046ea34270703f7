import { deleteDraft, listDrafts, readDraft } from '#islands/stores/draft/device-draft-store.ts'
import { bindTextDraft } from '#islands/stores/draft/text-draft.ts'
import { onPage } from '#islands/stores/page.ts'

/* Stores the title of a new test or question bank until it is created. */
onPage(() => {
  const owner = document.querySelector<HTMLElement>('[data-drafts]')?.dataset.drafts
  if (owner) void removeCreated(owner)
  const ends = [...document.querySelectorAll<HTMLFormElement>('form[data-title-draft]')].map(bindTitleDraft)
  return () => {
    for (const end of ends) end?.()
  }
})

/** The id is stored too: the same form sent again creates nothing twice. */
interface NewTitle {
  id: string
  title: string
}

function bindTitleDraft(form: HTMLFormElement): (() => void) | undefined {
  const { titleDraft: owner, draftKey: key, draftTitle: title = '', idField = '' } = form.dataset
  const field = form.querySelector<HTMLInputElement>('input[name=title]')
  const idInput = form.querySelector<HTMLInputElement>(`input[name="${idField}"]`)
  if (!owner || !key || !field || !idInput) return
  return bindTextDraft<NewTitle>({
    owner,
    key,
    title,
    fields: field,
    readValue: () => (field.value === '' ? null : { id: idInput.value, title: field.value }),
    showDraft({ id, title: typedTitle }) {
      if (field.value !== '' || isCreated(id)) return
      field.value = typedTitle
      idInput.value = id
    },
  })
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
