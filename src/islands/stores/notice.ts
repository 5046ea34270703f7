import { atom } from 'nanostores'

export const TOAST_MS = 5000
/** How long an action can be undone from its notice. */
export const UNDO_NOTICE_MS = 10_000
const MAX_NOTICES = 3

export type NoticeKind = 'success' | 'error' | 'info'

export interface Notice {
  id: number
  kind: NoticeKind
  /** Text in the page's language; empty means the generic text of its kind. */
  text: string
  /** An action such as «Повернути», available while the notice is shown. */
  action?: { label: string; run: () => void }
  /** Null: shown until it is closed. */
  durationMs: number | null
}

export const $notices = atom<readonly Notice[]>([])
let lastId = 0

/** Shows a toast: errors until they are closed, others for 5000 ms. A fourth notice removes the oldest. */
export function showNotice(
  kind: NoticeKind,
  text = '',
  more: Partial<Pick<Notice, 'action' | 'durationMs'>> = {},
): number {
  lastId += 1
  const lasts = more.durationMs === undefined ? (kind === 'error' ? null : TOAST_MS) : more.durationMs
  const notice: Notice = { id: lastId, kind, text, ...more, durationMs: lasts }
  const others = $notices.get().filter((other) => other.kind !== kind || other.text !== text)
  $notices.set([...others, notice].slice(-MAX_NOTICES))
  return notice.id
}

export const showSuccess = (text?: string) => showNotice('success', text)
export const showFailure = (text?: string) => showNotice('error', text)

export function dismissNotice(id: number): void {
  $notices.set($notices.get().filter((other) => other.id !== id))
}
