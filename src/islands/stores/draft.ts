import { useCallback, useEffect, useRef, useState } from 'react'
import { createDraft, type Draft, type DraftState, type SaveOutcome } from './draft-core.ts'
import { deviceVault } from './draft-vault.ts'
import { beforeLeaving } from './page.ts'

export type { DraftState, SaveOutcome } from './draft-core.ts'
export { outcomeOf } from './draft-outcome.ts'
export { type KeptDraft, listDrafts } from './draft-vault.ts'

export interface DraftOptions<T> {
  /** The membership's id: drafts are kept by person. */
  owner: string
  /** Names the text on this device, e.g. `course/lesson/<id>`. */
  key: string
  /** What the list of drafts shows. */
  title: string
  /** The server's text and version as the page was drawn. */
  value: T
  version: number
  save: (value: T, baseVersion: number, leaving: boolean) => Promise<SaveOutcome<T>>
}

export interface DraftHandle<T> {
  value: T
  state: DraftState<T>
  type: (value: T) => void
  /** Sends at once; give it to the field's onBlur. */
  flush: () => void
  resolve: (choice: 'mine' | 'theirs') => void
}

/** Text that survives a crash of the tab, a lost network, sign-out and an expired session. */
export function useDraft<T>(options: DraftOptions<T>): DraftHandle<T> {
  const [, redraw] = useState(0)
  const latest = useRef(options)
  latest.current = options
  const draft = useRef<Draft<T> | null>(null)
  draft.current ??= make(latest, () => redraw((count) => count + 1))
  const made = draft.current

  useEffect(() => {
    void made.open()
    return follow(made)
  }, [made])

  return {
    value: made.value(),
    state: made.state(),
    type: useCallback((value: T) => made.type(value), [made]),
    flush: useCallback(() => void made.flush(), [made]),
    resolve: useCallback((choice: 'mine' | 'theirs') => void made.resolve(choice), [made]),
  }
}

function make<T>(latest: { current: DraftOptions<T> }, changed: () => void): Draft<T> {
  const { owner, key, title, value, version } = latest.current
  return createDraft<T>({
    key,
    title,
    href: typeof location === 'undefined' ? '' : location.pathname + location.search,
    value,
    version,
    save: (text, base, leaving) => latest.current.save(text, base, leaving),
    vault: deviceVault<T>(owner),
    clock: {
      now: () => Date.now(),
      after: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      },
    },
    changed,
  })
}

// A page that hides may never come back: send what there is; when it shows again, the person may have signed in.
function follow<T>(draft: Draft<T>): () => void {
  const leave = () => void draft.flush(true)
  const turn = () => void draft.flush(document.visibilityState === 'hidden')
  const back = () => void draft.flush()
  document.addEventListener('visibilitychange', turn)
  window.addEventListener('pagehide', leave)
  window.addEventListener('online', back)
  window.addEventListener('focus', back)
  const stay = beforeLeaving(() => draft.flush())
  return () => {
    stay()
    document.removeEventListener('visibilitychange', turn)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('online', back)
    window.removeEventListener('focus', back)
    void draft.flush()
  }
}
