import { prepareReactRefresh } from '#islands/stores/load-when-idle.ts'
import { onPage } from '#islands/stores/page.ts'
import { isLocale, type Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import { bindSettingsDraft } from './settings-draft.ts'

/*
 * The settings are a plain form. Here a cover and a film are chosen from the whole storage, and the description is
 * written in the place where it stands; both end up in fields of the form.
 */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-settings]')
  const locale = document.documentElement.lang
  if (!form || !isLocale(locale)) return
  const strings: Strings = JSON.parse(form.dataset.strings ?? '{}')
  const ends: (() => void)[] = [bindSettingsDraft(form)]
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-pick]')) {
    button.hidden = false
    button.addEventListener('click', () => void pick(form, button, { locale, strings }, ends))
  }
  const place = form.querySelector<HTMLElement>('[data-description]')
  const write = form.querySelector<HTMLButtonElement>('[data-write]')
  if (place && write) {
    write.hidden = false
    write.addEventListener('click', () => {
      write.remove()
      void editDescription(form, place, { locale, strings }, ends)
    })
  }
  const stay = (event: BeforeUnloadEvent) => {
    if (form.dataset.changed) event.preventDefault()
  }
  form.addEventListener('input', () => mark(form))
  form.addEventListener('submit', () => delete form.dataset.changed)
  addEventListener('beforeunload', stay)
  return () => {
    removeEventListener('beforeunload', stay)
    for (const end of ends) end()
  }
})

interface Spoken {
  locale: Locale
  strings: Strings
}

const mark = (form: HTMLFormElement) => {
  form.dataset.changed = 'true'
}

/** What a script has put into a field is a change like any other. */
const change = (form: HTMLFormElement) => form.dispatchEvent(new Event('input'))

async function pick(form: HTMLFormElement, button: HTMLButtonElement, spoken: Spoken, ends: (() => void)[]) {
  const { field = '', pick: kind } = button.dataset
  const { openPicker } = await island()
  const place = document.createElement('div')
  form.append(place)
  const close = openPicker(place, {
    ...spoken,
    kinds: [kind === 'video' ? 'video' : 'image'],
    onPick: ({ id, name }) => {
      choose(form, field, { id, name })
      change(form)
    },
  })
  ends.push(() => {
    close()
    place.remove()
  })
}

/** A choice among options gets one more; a field without options keeps the id and says the name beside it. */
function choose(form: HTMLFormElement, field: string, { id, name }: { id: string; name: string }): void {
  const found = form.elements.namedItem(field)
  if (found instanceof HTMLSelectElement) {
    const known = [...found.options].find(({ value }) => value === id)
    const option = known ?? new Option(name, id)
    if (!known) found.add(option)
    option.selected = true
    found.focus()
    return
  }
  const kept = found instanceof HTMLInputElement ? found : document.createElement('input')
  Object.assign(kept, { type: 'hidden', name: field, value: id })
  form.append(kept)
  const said = form.querySelector<HTMLElement>(`[data-chosen="${field}"]`)
  if (said) said.textContent = (said.dataset.says ?? '').replace('{{name}}', name)
  const sent = form.querySelector<HTMLInputElement>('input[type=file]')
  if (sent) sent.value = ''
}

async function editDescription(form: HTMLFormElement, place: HTMLElement, spoken: Spoken, ends: (() => void)[]) {
  const { mountDescription } = await import('./Description.tsx')
  const found = form.elements.namedItem('description')
  const kept = found instanceof HTMLInputElement ? found : document.createElement('input')
  Object.assign(kept, { type: 'hidden', name: 'description', value: place.dataset.description ?? '' })
  form.append(kept)
  ends.push(
    mountDescription(place, {
      ...spoken,
      value: JSON.parse(place.dataset.description ?? 'null'),
      onChange: (doc) => {
        kept.value = JSON.stringify(doc)
        change(form)
      },
    }),
  )
}

function island() {
  prepareReactRefresh()
  return import('#islands/picker/FilePickerIsland.tsx')
}
