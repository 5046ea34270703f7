import { removeSavedDrafts } from '#islands/stores/draft/remove-saved.ts'
import { bindTextDraft } from '#islands/stores/draft/text-draft.ts'
import { onPage } from '#islands/stores/page.ts'

/* Stores title and text of a note of the schedule until it is saved. The page that follows the save removes the draft. */
onPage(() => {
  const saved = document.querySelector<HTMLElement>('[data-schedule-note-saved]')
  const { scheduleNoteSaved: member, note } = saved?.dataset ?? {}
  if (member) void removeSavedDrafts(member, ['schedule/note/new', `schedule/note/${note}`])
  const form = document.querySelector<HTMLFormElement>('[data-schedule-note]')
  const { scheduleNote: owner, draftKey: key, draftTitle: title = '' } = form?.dataset ?? {}
  return form && owner && key ? bindNoteDraft(form, { owner, key, title }) : undefined
})

interface NoteDraft {
  title: string
  text: string
}

function bindNoteDraft(form: HTMLFormElement, draft: { owner: string; key: string; title: string }) {
  const titleField = form.querySelector<HTMLInputElement>('[name=title]')
  const textField = form.querySelector<HTMLTextAreaElement>('[name=text]')
  if (!titleField || !textField) return undefined
  const initial = { title: titleField.value, text: textField.value }
  const isUnchanged = () => titleField.value === initial.title && textField.value === initial.text
  return bindTextDraft<NoteDraft>({
    ...draft,
    fields: form,
    readValue: () => (isUnchanged() ? null : { title: titleField.value, text: textField.value }),
    showDraft({ title, text }) {
      if (!isUnchanged()) return
      titleField.value = title
      textField.value = text
    },
  })
}
