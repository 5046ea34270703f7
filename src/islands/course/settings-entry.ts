import { bindFormDraft, type FormFields } from '#islands/field/form-draft.ts'
import { onPage } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

/*
 * Plain forms whose fields are kept as drafts: settings of a course and of a test, sections and exceptions of a test, the
 * rule of certificates. In the settings this script opens the file picker for cover and promo and the editor of the
 * description; both write to form fields.
 */
onPage(() => {
  const ends = [...document.querySelectorAll<HTMLFormElement>('form[data-settings]')].map((form) =>
    bindForm(form, readPageLocale()),
  )
  return () => {
    for (const end of ends) end()
  }
})

function bindForm(form: HTMLFormElement, locale: Locale): () => void {
  const strings: Strings = JSON.parse(form.dataset.strings ?? '{}')
  const cleanups: (() => void)[] = [bindFormDraft(form, (fields) => createScriptFields(form, fields))]
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-pick]')) {
    button.hidden = false
    button.addEventListener('click', () => void openFilePicker(form, button, { locale, strings }, cleanups))
  }
  const container = form.querySelector<HTMLElement>('[data-description]')
  const writeButton = form.querySelector<HTMLButtonElement>('[data-write]')
  if (container && writeButton) {
    writeButton.hidden = false
    writeButton.addEventListener('click', () => {
      writeButton.remove()
      void editDescription(form, container, { locale, strings }, cleanups)
    })
  }
  const warnUnsaved = (event: BeforeUnloadEvent) => {
    if (form.dataset.changed) event.preventDefault()
  }
  form.addEventListener('submit', () => delete form.dataset.changed)
  addEventListener('beforeunload', warnUnsaved)
  return () => {
    removeEventListener('beforeunload', warnUnsaved)
    for (const end of cleanups) end()
  }
}

interface PageLanguage {
  locale: Locale
  strings: Strings
}

/** Marks the form as changed after a change by a script. */
const emitInput = (form: HTMLFormElement) => form.dispatchEvent(new Event('input'))

async function openFilePicker(
  form: HTMLFormElement,
  button: HTMLButtonElement,
  language: PageLanguage,
  cleanups: (() => void)[],
) {
  const { field = '', pick: kind } = button.dataset
  const { openPicker } = await loadPicker()
  const container = document.createElement('div')
  form.append(container)
  const close = openPicker(container, {
    ...language,
    kinds: [kind === 'video' ? 'video' : 'image'],
    onPick: ({ id, name }) => {
      applyChoice(form, field, { id, name })
      emitInput(form)
    },
  })
  cleanups.push(() => {
    close()
    container.remove()
  })
}

/** Adds the file to a select, or stores its id in a hidden field and shows its name. */
function applyChoice(form: HTMLFormElement, field: string, { id, name }: { id: string; name: string }): void {
  const control = form.elements.namedItem(field)
  if (control instanceof HTMLSelectElement) {
    const existing = [...control.options].find(({ value }) => value === id)
    const option = existing ?? new Option(name, id)
    if (!existing) control.add(option)
    option.selected = true
    control.focus()
    return
  }
  const input = control instanceof HTMLInputElement ? control : document.createElement('input')
  Object.assign(input, { type: 'hidden', name: field, value: id })
  form.append(input)
  const status = form.querySelector<HTMLElement>(`[data-chosen="${field}"]`)
  if (status) status.textContent = (status.dataset.template ?? '').replace('{{name}}', name)
  const fileInput = form.querySelector<HTMLInputElement>('input[type=file]')
  if (fileInput) fileInput.value = ''
}

async function editDescription(
  form: HTMLFormElement,
  container: HTMLElement,
  language: PageLanguage,
  cleanups: (() => void)[],
) {
  const { mountDescription } = await import('./Description.tsx')
  const control = form.elements.namedItem('description')
  const input = control instanceof HTMLInputElement ? control : document.createElement('input')
  Object.assign(input, { type: 'hidden', name: 'description', value: container.dataset.description ?? '' })
  form.append(input)
  cleanups.push(
    mountDescription(container, {
      ...language,
      value: JSON.parse(container.dataset.description ?? 'null'),
      onChange: (doc) => {
        input.value = JSON.stringify(doc)
        emitInput(form)
      },
    }),
  )
}

function loadPicker() {
  prepareReactRefresh()
  return import('#islands/picker/FilePickerIsland.tsx')
}

/** Fields that only a script creates: the text of the description, and a cover from the file library. */
const SCRIPT_FIELDS = ['description', 'coverFileId']

/** Creates the fields of a draft that the form does not contain yet. */
function createScriptFields(form: HTMLFormElement, fields: FormFields): void {
  for (const name of SCRIPT_FIELDS) {
    const [value] = fields[name] ?? []
    if (value === undefined || form.elements.namedItem(name)) continue
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    const container = name === 'description' ? form.querySelector<HTMLElement>('[data-description]') : null
    if (container) container.dataset.description = value
  }
}
