import { bindFormDraft } from '#islands/field/form-draft.ts'
import { onPage } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import { showStartTimeWarning } from './start-time-warning.ts'

/*
 * Enhances the forms of an event: drafts on the device, file picker, warnings about ambiguous start times, and a preview
 * of the slides.
 */
onPage(() => {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-edit]')]
  const slides = document.querySelector<HTMLElement>('[data-slides]')
  if (forms.length === 0 && !slides) return
  const page = document.querySelector<HTMLElement>('[data-edit-page]')
  const cleanups = forms.flatMap((form) => [bindFormDraft(form), showStartTimeWarning(form)])
  for (const field of document.querySelectorAll<HTMLElement>('[data-pick-field]')) {
    cleanups.push(enableFilePicker(field, JSON.parse(page?.dataset.strings ?? '{}')))
  }
  if (slides) void import('./slides-preview.ts').then(({ drawSlides }) => cleanups.push(drawSlides(slides)))
  const confirmLeaving = (event: BeforeUnloadEvent) => {
    if (forms.some((form) => form.dataset.changed && !form.dataset.draftKey)) event.preventDefault()
  }
  for (const form of forms) form.addEventListener('submit', () => delete form.dataset.changed)
  addEventListener('beforeunload', confirmLeaving)
  return () => {
    removeEventListener('beforeunload', confirmLeaving)
    for (const end of cleanups) end()
  }
})

/** Opens the file picker on click; writes the id of the file into the hidden field and its name next to it. */
function enableFilePicker(field: HTMLElement, strings: Strings): () => void {
  const button = field.querySelector<HTMLButtonElement>('[data-pick]')
  const fileIdInput = field.querySelector<HTMLInputElement>('input[type=hidden]')
  const fileNameText = field.querySelector<HTMLElement>('[data-chosen]')
  const locale = readPageLocale()
  const cleanups: (() => void)[] = []
  let isClosed = false
  if (!button || !fileIdInput) return () => {}
  button.hidden = false
  button.addEventListener('click', async () => {
    const { openPicker } = await loadPicker()
    // The page may have been left while the picker was loading.
    if (isClosed) return
    const container = document.createElement('div')
    field.append(container)
    const close = openPicker(container, {
      locale,
      strings,
      kinds: [pickerKindOf(button.dataset.pick)],
      onPick: ({ id, name }) => {
        fileIdInput.value = id
        if (fileNameText) fileNameText.textContent = (fileNameText.dataset.template ?? '').replace('{{name}}', name)
        fileIdInput.dispatchEvent(new Event('input', { bubbles: true }))
        button.focus()
      },
    })
    cleanups.push(() => {
      close()
      container.remove()
    })
  })
  return () => {
    isClosed = true
    for (const end of cleanups) end()
  }
}

const pickerKindOf = (value: string | undefined) =>
  value === 'image' || value === 'pdf' || value === 'video' ? value : 'file'

function loadPicker() {
  prepareReactRefresh()
  return import('#islands/picker/FilePickerIsland.tsx')
}
