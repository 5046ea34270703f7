import { $notices, dismissNotice, type Notice } from '#islands/stores/notice.ts'
import { createToast } from '#islands/ui/toast.ts'

/** Renders the queue of notices; the timer of a notice is paused while the pointer or the focus is on it. */
export function renderNotices(region: HTMLElement | null): void {
  if (!region) return
  const cards = new Map<number, { card: HTMLElement; stop: () => void }>()

  $notices.subscribe((notices) => {
    for (const [id, { card, stop }] of cards) {
      if (notices.some((notice) => notice.id === id)) continue
      stop()
      card.remove()
      cards.delete(id)
    }
    for (const notice of notices) if (!cards.has(notice.id)) cards.set(notice.id, renderNotice(notice, region))
  })
}

function renderNotice(notice: Notice, region: HTMLElement) {
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
  return { card, stop: startTimer(card, notice) }
}

function startTimer(card: HTMLElement, notice: Notice): () => void {
  if (notice.durationMs === null) return () => undefined
  let remainingMs = notice.durationMs
  let startedAt = Date.now()
  let timer = setTimeout(() => dismissNotice(notice.id), remainingMs)
  const pause = () => {
    clearTimeout(timer)
    remainingMs -= Date.now() - startedAt
  }
  const resume = () => {
    startedAt = Date.now()
    timer = setTimeout(() => dismissNotice(notice.id), Math.max(remainingMs, 1000))
  }
  card.addEventListener('pointerenter', pause)
  card.addEventListener('pointerleave', resume)
  card.addEventListener('focusin', pause)
  card.addEventListener('focusout', resume)
  return () => clearTimeout(timer)
}
