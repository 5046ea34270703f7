import { api } from '#islands/stores/api.ts'
import { readyForReact } from '#islands/stores/late.ts'
import { goTo, onPage, refreshPage } from '#islands/stores/page.ts'
import { isWordName } from '#lib/core/shared/learning.ts'
import { formatPercent, isLocale, type Locale } from '#lib/core/shared/locale.ts'

/*
 * The page says what is read and what came of it; here a file is chosen, and the reading is watched until it has ended.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-import]')
  const locale = document.documentElement.lang
  if (!place || !isLocale(locale)) return
  const ends = [offer(place, locale), watch(place, locale)]
  return () => {
    for (const end of ends) end()
  }
})

function offer(place: HTMLElement, locale: Locale): () => void {
  const button = place.querySelector<HTMLButtonElement>('[data-choose]')
  const dialog = place.querySelector<HTMLElement>('[data-dialog]')
  let gone = false
  let close = () => {}
  const open = async () => {
    if (!dialog) return
    readyForReact()
    const { openPicker } = await import('#islands/picker/PickerMount.tsx')
    if (gone) return
    const strings = JSON.parse(place.dataset.strings ?? '{}')
    const title = strings['transfer:chooseTitle']
    close = openPicker(dialog, { locale, strings, title, kinds: ['file'], onPick: begin })
  }
  button?.addEventListener('click', open)
  return () => {
    gone = true
    close()
  }
}

/** A Word document may be split in several ways: the page shows them first. */
async function begin({ id: fileId, name }: { id: string; name: string }): Promise<void> {
  if (isWordName(name)) return goTo(`/course/create?from=file&file=${fileId}`)
  const { transferId } = await api.course.startImport({ fileId })
  goTo(`/course/create?from=file&transfer=${transferId}`)
}

const SOON = 1000
const LATER = 5000

/** Asks every second; a network that is gone is waited for. */
function watch(place: HTMLElement, locale: Locale): () => void {
  const row = place.querySelector<HTMLElement>('[data-running]')
  const transferId = row?.dataset.running
  if (!row || !transferId) return () => {}
  const bar = row.querySelector('progress')
  const words = row.querySelector<HTMLElement>('[data-words]')
  const lost = row.querySelector<HTMLElement>('[data-lost]')
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    try {
      const { state, progress } = await api.course.getTransfer({ transferId }, { context: { quiet: true } })
      if (state === 'done' || state === 'failed') return refreshPage()
      if (bar) bar.value = progress
      const percent = formatPercent(progress / 100, locale)
      if (words && state === 'running') words.textContent = (words.dataset.says ?? '').replace('{{percent}}', percent)
      if (lost) lost.hidden = true
      timer = setTimeout(look, SOON)
    } catch {
      // Whatever it was, the reading goes on without this page.
      if (lost) lost.hidden = false
      timer = setTimeout(look, LATER)
    }
  }
  timer = setTimeout(look, SOON)
  return () => clearTimeout(timer)
}
