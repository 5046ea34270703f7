import { $notices, dismissNotice, type Notice } from '#islands/stores/notice.ts'
import { createToast } from '#islands/ui/toast.ts'

/** Draws the queue of notices into the region; time stands still while the pointer or the focus is on it. */
export function renderNotices(region: HTMLElement | null): void {
  if (!region) return
  const drawn = new Map<number, { card: HTMLElement; stop: () => void }>()

  $notices.subscribe((notices) => {
    for (const [id, { card, stop }] of drawn) {
      if (notices.some((notice) => notice.id === id)) continue
      stop()
      card.remove()
      drawn.delete(id)
    }
    for (const notice of notices) if (!drawn.has(notice.id)) drawn.set(notice.id, draw(notice, region))
  })
}

function draw(notice: Notice, region: HTMLElement) {
  const generic = notice.kind === 'error' ? region.dataset.failure : region.dataset.success
  const card = createToast({
    kind: notice.kind,
    text: notice.text || (generic ?? ''),
    closeLabel: region.dataset.close ?? '',
    onClose: () => dismissNotice(notice.id),
    action: notice.action && {
      label: notice.action.label,
      run: () => {
        notice.action?.run()
        dismissNotice(notice.id)
      },
    },
  })
  region.append(card)
  return { card, stop: countDown(card, notice) }
}

function countDown(card: HTMLElement, notice: Notice): () => void {
  if (notice.durationMs === null) return () => undefined
  let left = notice.durationMs
  let since = Date.now()
  let timer = setTimeout(() => dismissNotice(notice.id), left)
  const hold = () => {
    clearTimeout(timer)
    left -= Date.now() - since
  }
  const go = () => {
    since = Date.now()
    timer = setTimeout(() => dismissNotice(notice.id), Math.max(left, 1000))
  }
  card.addEventListener('pointerenter', hold)
  card.addEventListener('pointerleave', go)
  card.addEventListener('focusin', hold)
  card.addEventListener('focusout', go)
  return () => clearTimeout(timer)
}
