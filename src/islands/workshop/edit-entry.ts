import { prepareReactRefresh } from '#islands/stores/late.ts'
import { onPage } from '#islands/stores/page.ts'
import { isLocale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import { keepForm } from './form-draft.ts'
import { warnOfClocks } from './start-time-warning.ts'

/*
 * The pages of an event are plain forms. Here what is typed stays on the device, files are chosen from the whole storage,
 * a doubtful time is named while it is typed, and the slides are drawn.
 */
onPage(() => {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-edit]')]
  const slides = document.querySelector<HTMLElement>('[data-slides]')
  if (forms.length === 0 && !slides) return
  const page = document.querySelector<HTMLElement>('[data-edit-page]')
  const ends = forms.flatMap((form) => [keepForm(form), warnOfClocks(form)])
  for (const field of document.querySelectorAll<HTMLElement>('[data-pick-field]')) {
    ends.push(offerStorage(field, JSON.parse(page?.dataset.strings ?? '{}')))
  }
  if (slides) void import('./slides-preview.ts').then(({ drawSlides }) => ends.push(drawSlides(slides)))
  const stay = (event: BeforeUnloadEvent) => {
    if (forms.some((form) => form.dataset.changed && !form.dataset.keep)) event.preventDefault()
  }
  for (const form of forms) form.addEventListener('submit', () => delete form.dataset.changed)
  addEventListener('beforeunload', stay)
  return () => {
    removeEventListener('beforeunload', stay)
    for (const end of ends) end()
  }
})

/** A press opens the storage; what is chosen goes into the hidden field, and its name stands beside it. */
function offerStorage(field: HTMLElement, strings: Strings): () => void {
  const button = field.querySelector<HTMLButtonElement>('[data-pick]')
  const kept = field.querySelector<HTMLInputElement>('input[type=hidden]')
  const said = field.querySelector<HTMLElement>('[data-chosen]')
  const locale = document.documentElement.lang
  const ends: (() => void)[] = []
  let gone = false
  if (!button || !kept || !isLocale(locale)) return () => {}
  button.hidden = false
  button.addEventListener('click', async () => {
    const { openPicker } = await picker()
    // The page may have left while the choice was on its way.
    if (gone) return
    const place = document.createElement('div')
    field.append(place)
    const close = openPicker(place, {
      locale,
      strings,
      kinds: [kindOf(button.dataset.pick)],
      onPick: ({ id, name }) => {
        kept.value = id
        if (said) said.textContent = (said.dataset.says ?? '').replace('{{name}}', name)
        kept.dispatchEvent(new Event('input', { bubbles: true }))
        button.focus()
      },
    })
    ends.push(() => {
      close()
      place.remove()
    })
  })
  return () => {
    gone = true
    for (const end of ends) end()
  }
}

const kindOf = (asked: string | undefined) =>
  asked === 'image' || asked === 'pdf' || asked === 'video' ? asked : 'file'

function picker() {
  prepareReactRefresh()
  return import('#islands/picker/FilePickerIsland.tsx')
}
