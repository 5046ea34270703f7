import { useCallback, useEffect, useRef, useState } from 'react'
import { beforeLeaving } from '../page.ts'
import { afterPress } from '../press.ts'
import { createDraft, type Draft } from './draft-core.ts'
import type { Choice, DraftState, SaveOutcome, ServerText, Three } from './draft-parts.ts'
import { newestKnown, rememberSaved } from './draft-saved.ts'
import { deviceVault } from './draft-vault.ts'

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
  /** The text was read from the server for this mount; without it, it is as old as the page. */
  fresh?: boolean
  /** `base` is the server's text of that version; `chosen`: the person took this text in place of another's. */
  save: (value: T, baseVersion: number, leaving: boolean, more: { base: T; chosen: boolean }) => Promise<SaveOutcome<T>>
  /** See `DraftParts.merge`: without it any two changes are a conflict. */
  merge?: (texts: Three<T>, choice?: Choice) => T | null
  same?: (a: T, b: T) => boolean
  /** Another's changes came into the text by themselves. */
  merged?: (by: string | undefined) => void
}

export interface DraftHandle<T> {
  value: T
  state: DraftState<T>
  version: number
  /** The device's own words are back: before, nothing should be typed. */
  ready: boolean
  type: (value: T) => void
  /** The same for a change of what stands there now, which may be newer than what was drawn last. */
  change: (make: (now: T) => T) => void
  /** Sends at once, during a press after it; give it to the field's onBlur. */
  flush: () => void
  resolve: (choice: Choice) => void
  /** Reads the server's text, which somebody else may have changed, and takes it in. See `Draft.refresh`. */
  refresh: (read: () => Promise<ServerText<T>>) => Promise<void>
}

/** Text that survives a crash of the tab, a lost network, sign-out and an expired session. */
export function useDraft<T>(options: DraftOptions<T>): DraftHandle<T> {
  const [, redraw] = useState(0)
  const [ready, setReady] = useState(false)
  const running = useRef<Running<T> | null>(null)
  running.current ??= takeUp(options)
  const { current: taken } = running
  const { draft, latest } = taken
  latest.options = options

  useEffect(() => {
    latest.stop()
    latest.changed = () => redraw((count) => count + 1)
    // A text that is taken up again is unsent, and the answer to its save says what the server has.
    const opened = latest.opened ? draft.flush() : draft.open()
    latest.opened = true
    void opened.then(() => setReady(true))
    latest.stop = follow(draft)
    return () => {
      void leave(taken)
    }
  }, [taken, draft, latest])

  return {
    value: draft.value(),
    state: draft.state(),
    version: draft.version(),
    ready,
    type: useCallback((value: T) => draft.type(value), [draft]),
    change: useCallback((make: (now: T) => T) => draft.type(make(draft.value())), [draft]),
    flush: useCallback(() => afterPress(() => void draft.flush()), [draft]),
    resolve: useCallback((choice: Choice) => void draft.resolve(choice), [draft]),
    refresh: useCallback((read: () => Promise<ServerText<T>>) => draft.refresh(read), [draft]),
  }
}

interface Latest<T> {
  options: DraftOptions<T>
  changed: () => void
  opened: boolean
  /** The page has gone and nobody looks at the text. */
  left: boolean
  /** Ends the watch over network and focus. */
  stop: () => void
}

interface Running<T> {
  draft: Draft<T>
  latest: Latest<T>
  /** The page that gave the text, and its version. */
  page: unknown
  given: number
}

// Pages change within one document: a text that its page left unsent goes on being sent, and the next page takes it up.
const lingering = new Map<string, unknown>()
const nameOf = ({ owner, key }: { owner: string; key: string }): string => `${owner} ${key}`

function takeUp<T>(options: DraftOptions<T>): Running<T> {
  const name = nameOf(options)
  const waiting = lingering.get(name) as Running<T> | undefined
  lingering.delete(name)
  if (!waiting) return make(options)
  waiting.latest.left = false
  return waiting
}

function make<T>(options: DraftOptions<T>): Running<T> {
  const latest: Latest<T> = { options, changed: () => {}, opened: false, left: false, stop: () => {} }
  const { owner, key, title, merge, same, fresh } = options
  const given = { value: options.value, version: options.version }
  const page = pageShown()
  const { value, version } = fresh ? given : newestKnown(nameOf(options), page, given)
  const draft = createDraft<T>({
    title,
    value,
    version,
    merge,
    same,
    href: typeof location === 'undefined' ? '' : location.pathname + location.search,
    save: (text, base, leaving, more) => latest.options.save(text, base, leaving, more),
    merged: (by) => latest.options.merged?.(by),
    vault: deviceVault<T>(owner, key),
    clock: {
      now: () => Date.now(),
      after: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      },
    },
    changed: () => latest.changed(),
  })
  return { draft, latest, page, given: given.version }
}

async function leave<T>(running: Running<T>): Promise<void> {
  const { draft, latest, page, given } = running
  const name = nameOf(latest.options)
  latest.left = true
  lingering.set(name, running)
  const end = () => {
    if (!latest.left || draft.state().kind !== 'saved') return
    latest.stop()
    draft.close()
    lingering.delete(name)
    rememberSaved(name, { page, given, text: { value: draft.value(), version: draft.version() } })
  }
  latest.changed = end
  await draft.flush()
  end()
}

// The router gives every page a body of its own.
const pageShown = (): unknown => globalThis.document?.body

// A page that hides may never come back: send what there is; when it shows again, the person may have signed in.
function follow<T>(draft: Draft<T>): () => void {
  const leaving = () => void draft.flush(true)
  const turn = () => void draft.flush(document.visibilityState === 'hidden')
  const back = () => void draft.flush()
  document.addEventListener('visibilitychange', turn)
  window.addEventListener('pagehide', leaving)
  window.addEventListener('online', back)
  window.addEventListener('focus', back)
  const stay = beforeLeaving(() => draft.flush())
  return () => {
    stay()
    document.removeEventListener('visibilitychange', turn)
    window.removeEventListener('pagehide', leaving)
    window.removeEventListener('online', back)
    window.removeEventListener('focus', back)
  }
}
