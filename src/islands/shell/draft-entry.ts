import { listDrafts, type StoredDraft, subscribeToDrafts } from '#islands/stores/draft/device-draft-store.ts'
import { onPage } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'

/*
 * Shows the unsaved drafts of this device on every page of the cabinet. React and the texts are loaded only when there is a
 * draft to show.
 */
onPage(() => {
  const host = document.querySelector<HTMLElement>('[data-drafts]')
  return host?.dataset.drafts ? watchDrafts(host, host.dataset.drafts) : undefined
})

/** A draft is shown only when it has not changed for this time: before, it is being typed. */
const IDLE_MS = 5000
const DEBOUNCE_MS = 400

function watchDrafts(host: HTMLElement, owner: string): () => void {
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let tray: Promise<(drafts: StoredDraft[]) => void> | null = null

  const refresh = async () => {
    const drafts = await listDrafts(owner)
    const idleDrafts = drafts.filter(({ isArchived, changedAt }) => isArchived || changedAt < Date.now() - IDLE_MS)
    if (isStopped) return
    if (idleDrafts.length < drafts.length) scheduleRefresh(IDLE_MS)
    if (idleDrafts.length === 0 && !tray) return
    tray ??= mountTray(host)
    const show = await tray
    if (!isStopped) show(idleDrafts)
  }
  const scheduleRefresh = (milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh().catch(() => undefined), milliseconds)
  }
  const stop = subscribeToDrafts(() => scheduleRefresh(DEBOUNCE_MS))
  scheduleRefresh(0)
  return () => {
    isStopped = true
    clearTimeout(timer)
    stop()
    void tray?.then((show) => show([]))
  }
}

async function mountTray(host: HTMLElement): Promise<(drafts: StoredDraft[]) => void> {
  prepareReactRefresh()
  const { mountDraftTray } = await import('./DraftTray.tsx')
  return mountDraftTray(host, readPageLocale())
}
