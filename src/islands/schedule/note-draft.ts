import { createDeviceDraftStore } from '#islands/stores/draft/device-draft-store.ts'
import { removeSavedDrafts } from '#islands/stores/draft/remove-saved.ts'
import { onPage } from '#islands/stores/page.ts'

/*
 * Stores title and text of a note of the schedule on this device until it is saved, so that a closed tab, a lost
 * connection or an expired session loses nothing. The page that follows the save removes the draft.
 */
onPage(() => {
  const saved = document.querySelector<HTMLElement>('[data-schedule-note-saved]')
  const { scheduleNoteSaved: member, note } = saved?.dataset ?? {}
  if (member) void removeSavedDrafts(member, ['schedule/note/new', `schedule/note/${note}`])
  const form = document.querySelector<HTMLFormElement>('[data-schedule-note]')
  const { scheduleNote: owner, draftKey: key, draftTitle: title = '' } = form?.dataset ?? {}
  return form && owner && key ? keepDraft(form, { owner, key, title }) : undefined
})

interface NoteDraft {
  title: string
  text: string
}

function keepDraft(
  form: HTMLFormElement,
  { owner, key, title }: { owner: string; key: string; title: string },
): () => void {
  const store = createDeviceDraftStore<NoteDraft>(owner, key)
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[name=title], [name=text]')]
  const initial = JSON.stringify(fields.map(({ value }) => value))
  const write = () => {
    const [heading, text] = fields.map(({ value }) => value)
    const isChanged = JSON.stringify([heading, text]) !== initial
    const value = { title: heading ?? '', text: text ?? '' }
    const href = `${location.pathname}${location.search}`
    void (isChanged ? store.write({ title, href, value, baseVersion: 0, changedAt: Date.now() }) : store.remove())
  }
  const restore = async () => {
    for (const draft of await store.listAbandoned()) {
      const { title: heading, text } = draft.record.value
      const [titleField, textField] = fields
      if (titleField && textField && JSON.stringify([titleField.value, textField.value]) === initial) {
        titleField.value = heading
        textField.value = text
      }
      await store.removeAbandoned(draft)
    }
    write()
  }
  void restore()
  form.addEventListener('input', write)
  return () => {
    form.removeEventListener('input', write)
    store.close()
  }
}
