import { listDrafts, type StoredDraft, subscribeToDrafts } from '#islands/stores/draft/device-draft-store.ts'
import { prepareReactRefresh } from '#islands/stores/load-when-idle.ts'
import { onPage } from '#islands/stores/page.ts'
import { isLocale } from '#lib/core/shared/locale.ts'

/*
 * What this device keeps and the school does not have yet, on every page of the cabinet. React and the words come only
 * when there is something to show.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-drafts]')
  return place?.dataset.drafts ? watch(place, place.dataset.drafts) : undefined
})

/** A text that is being written is no draft that somebody has to be told of. */
const CALM_MILLISECONDS = 5000
const GATHER_MILLISECONDS = 400

function watch(place: HTMLElement, owner: string): () => void {
  let gone = false
  let later: ReturnType<typeof setTimeout> | undefined
  let tray: Promise<(drafts: StoredDraft[]) => void> | null = null

  const look = async () => {
    const drafts = await listDrafts(owner)
    const calm = drafts.filter(
      ({ isArchived: aside, changedAt }) => aside || changedAt < Date.now() - CALM_MILLISECONDS,
    )
    if (gone) return
    if (calm.length < drafts.length) soon(CALM_MILLISECONDS)
    if (calm.length === 0 && !tray) return
    tray ??= mount(place)
    const show = await tray
    if (!gone) show(calm)
  }
  const soon = (milliseconds: number) => {
    clearTimeout(later)
    later = setTimeout(() => void look().catch(() => undefined), milliseconds)
  }
  const stop = subscribeToDrafts(() => soon(GATHER_MILLISECONDS))
  soon(0)
  return () => {
    gone = true
    clearTimeout(later)
    stop()
    void tray?.then((show) => show([]))
  }
}

async function mount(place: HTMLElement): Promise<(drafts: StoredDraft[]) => void> {
  prepareReactRefresh()
  const { mountDraftTray } = await import('./DraftTray.tsx')
  const locale = document.documentElement.lang
  return mountDraftTray(place, isLocale(locale) ? locale : 'uk')
}
