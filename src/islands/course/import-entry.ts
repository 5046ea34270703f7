import { api } from '#islands/stores/api.ts'
import { followJob } from '#islands/stores/job-progress.ts'
import { navigateTo, onPage } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import { isWordName } from '#lib/core/shared/learning.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

/* The page shows imports and their reports; this script opens the file picker and polls a running import. */
onPage(() => {
  const container = document.querySelector<HTMLElement>('[data-import]')
  const locale = readPageLocale()
  if (!container) return
  const cleanups = [bindFilePicker(container, locale), followImport(container, locale)]
  return () => {
    for (const end of cleanups) end()
  }
})

function bindFilePicker(container: HTMLElement, locale: Locale): () => void {
  const button = container.querySelector<HTMLButtonElement>('[data-choose]')
  const dialog = container.querySelector<HTMLElement>('[data-dialog]')
  let isClosed = false
  let close = () => {}
  const openDialog = async () => {
    if (!dialog) return
    prepareReactRefresh()
    const { openPicker } = await import('#islands/picker/FilePickerIsland.tsx')
    if (isClosed) return
    const strings = JSON.parse(container.dataset.strings ?? '{}')
    const title = strings['transfer:chooseTitle']
    close = openPicker(dialog, { locale, strings, title, kinds: ['file'], onPick: startImport })
  }
  button?.addEventListener('click', openDialog)
  return () => {
    isClosed = true
    close()
  }
}

/** A Word document can be split in several ways: the page lists them first. */
async function startImport({ id: fileId, name }: { id: string; name: string }): Promise<void> {
  if (isWordName(name)) return navigateTo(`/course/create?from=file&file=${fileId}`)
  const { transferId } = await api.course.startImport({ fileId })
  navigateTo(`/course/create?from=file&transfer=${transferId}`)
}

function followImport(container: HTMLElement, locale: Locale): () => void {
  const row = container.querySelector<HTMLElement>('[data-running]')
  const transferId = row?.dataset.running
  if (!row || !transferId) return () => {}
  return followJob(row, locale, () => api.course.getTransfer({ transferId }, { context: { isQuiet: true } }))
}
