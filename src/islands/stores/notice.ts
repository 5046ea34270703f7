import { atom } from 'nanostores'

export const TOAST_MS = 5000
const AT_MOST = 3

export type NoticeKind = 'success' | 'error' | 'info'

export interface Notice {
  id: number
  kind: NoticeKind
  /** Words in the page's language; empty means the generic ones of its kind. */
  text: string
  /** An offer such as «Повернути», open for `lasts`. */
  action?: { label: string; run: () => void }
  /** Milliseconds on the screen; null stays until closed. */
  durationMs: number | null
}

export const $notices = atom<readonly Notice[]>([])
let last = 0

/** Shows a toast: errors stay until closed, all else leaves after 5000 ms; the oldest gives way to a fourth. */
export function showNotice(
  kind: NoticeKind,
  text = '',
  more: Partial<Pick<Notice, 'action' | 'durationMs'>> = {},
): number {
  last += 1
  const lasts = more.durationMs === undefined ? (kind === 'error' ? null : TOAST_MS) : more.durationMs
  const notice: Notice = { id: last, kind, text, ...more, durationMs: lasts }
  const others = $notices.get().filter((each) => each.kind !== kind || each.text !== text)
  $notices.set([...others, notice].slice(-AT_MOST))
  return notice.id
}

export const showSuccess = (text?: string) => showNotice('success', text)
export const showFailure = (text?: string) => showNotice('error', text)

export function dismissNotice(id: number): void {
  $notices.set($notices.get().filter((each) => each.id !== id))
}
