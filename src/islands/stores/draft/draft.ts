import { useCallback, useEffect, useRef, useState } from 'react'
import { runBeforeLeaving } from '../page.ts'
import { runAfterPress } from '../pointer-press.ts'
import { createDeviceDraftStore } from './device-draft-store.ts'
import { createDraft } from './draft-core.ts'
import { newestKnownText, rememberSavedText } from './draft-saved.ts'
import type { ConflictResolution, Draft, DraftState, MergeTexts, SaveOutcome, ServerText } from './draft-settings.ts'

export interface DraftOptions<T> {
  /** The membership's id: drafts are stored by member. */
  owner: string
  /** Identifies the text on this device, e.g. `course/lesson/<id>`. */
  key: string
  /** The title in the list of drafts. */
  title: string
  /** The server's text when the page was rendered. */
  value: T
  version: number
  /** The text was loaded from the server for this mount; otherwise it is as old as the page. */
  isFresh?: boolean
  /** `base` is the server's text of that version; `chosen`: the user preferred this text to another author's. */
  save: (value: T, baseVersion: number, leaving: boolean, more: { base: T; chosen: boolean }) => Promise<SaveOutcome<T>>
  /** See `DraftSettings.merge`: without it any two changes are a conflict. */
  merge?: (texts: MergeTexts<T>, choice?: ConflictResolution) => T | null
  isSame?: (a: T, b: T) => boolean
  /** Called after another author's changes were merged automatically. */
  onMerged?: (by: string | undefined) => void
}

export interface DraftHandle<T> {
  value: T
  state: DraftState<T>
  version: number
  /** The device's draft is restored: the field must not be edited before. */
  isReady: boolean
  type: (value: T) => void
  /** Changes the current text, which may be newer than the rendered one. */
  update: (make: (now: T) => T) => void
  /** Sends immediately, or after the current pointer press; for the field's onBlur. */
  flush: () => void
  resolve: (choice: ConflictResolution) => void
  /** Reads the server's text, which another author may have changed, and merges it. See `Draft.refresh`. */
  refresh: (read: () => Promise<ServerText<T>>) => Promise<void>
}

/** The draft of a text that survives a crash of the tab, a lost network, sign-out and an expired session. */
export function useDraft<T>(options: DraftOptions<T>): DraftHandle<T> {
  const [, redraw] = useState(0)
  const [ready, setReady] = useState(false)
  const running = useRef<Running<T> | null>(null)
  running.current ??= resumeDraft(options)
  const { current: entry } = running
  const { draft, latest } = entry
  latest.options = options

  useEffect(() => {
    latest.stop()
    latest.changed = () => redraw((count) => count + 1)
    // A resumed text is unsent, and the response to its save contains the server's text.
    const opened = latest.isOpened ? draft.flush() : draft.restore()
    latest.isOpened = true
    void opened.then(() => setReady(true))
    latest.stop = flushOnPageEvents(draft)
    return () => {
      void releaseDraft(entry)
    }
  }, [entry, draft, latest])

  return {
    value: draft.value(),
    state: draft.state(),
    version: draft.version(),
    isReady: ready,
    type: useCallback((value: T) => draft.type(value), [draft]),
    update: useCallback((make: (now: T) => T) => draft.type(make(draft.value())), [draft]),
    flush: useCallback(() => runAfterPress(() => void draft.flush()), [draft]),
    resolve: useCallback((choice: ConflictResolution) => void draft.resolve(choice), [draft]),
    refresh: useCallback((read: () => Promise<ServerText<T>>) => draft.refresh(read), [draft]),
  }
}

interface Latest<T> {
  options: DraftOptions<T>
  changed: () => void
  isOpened: boolean
  /** The component of the text is unmounted. */
  isReleased: boolean
  stop: () => void
}

interface Running<T> {
  draft: Draft<T>
  latest: Latest<T>
  /** The page that was rendered with the text, and its version. */
  page: unknown
  given: number
}

// Client-side navigation keeps the document: an unsent text of the last page is still sent, and the next page resumes it.
const unsentDrafts = new Map<string, unknown>()
const draftName = ({ owner, key }: { owner: string; key: string }): string => `${owner} ${key}`

function resumeDraft<T>(options: DraftOptions<T>): Running<T> {
  const name = draftName(options)
  const waiting = unsentDrafts.get(name) as Running<T> | undefined
  unsentDrafts.delete(name)
  if (!waiting) return createRunningDraft(options)
  waiting.latest.isReleased = false
  return waiting
}

function createRunningDraft<T>(options: DraftOptions<T>): Running<T> {
  const latest: Latest<T> = { options, changed: () => {}, isOpened: false, isReleased: false, stop: () => {} }
  const { owner, key, title, merge, isSame: same, isFresh: fresh } = options
  const given = { value: options.value, version: options.version }
  const page = pageShown()
  const { value, version } = fresh ? given : newestKnownText(draftName(options), page, given)
  const draft = createDraft<T>({
    title,
    value,
    version,
    merge,
    isSame: same,
    href: typeof location === 'undefined' ? '' : location.pathname + location.search,
    save: (text, base, leaving, more) => latest.options.save(text, base, leaving, more),
    onMerged: (by) => latest.options.onMerged?.(by),
    store: createDeviceDraftStore<T>(owner, key),
    clock: {
      now: () => Date.now(),
      after: (milliseconds, run) => {
        const timer = setTimeout(run, milliseconds)
        return () => clearTimeout(timer)
      },
    },
    onChange: () => latest.changed(),
  })
  return { draft, latest, page, given: given.version }
}

async function releaseDraft<T>(running: Running<T>): Promise<void> {
  const { draft, latest, page, given } = running
  const name = draftName(latest.options)
  latest.isReleased = true
  unsentDrafts.set(name, running)
  const end = () => {
    if (!latest.isReleased || draft.state().kind !== 'saved') return
    latest.stop()
    draft.close()
    unsentDrafts.delete(name)
    rememberSavedText(name, { page, given, text: { value: draft.value(), version: draft.version() } })
  }
  latest.changed = end
  await draft.flush()
  end()
}

// The router replaces the body for every page.
const pageShown = (): unknown => globalThis.document?.body

// A hidden page may never be shown again, so the text is sent; when it is shown again, the user may have signed in.
function flushOnPageEvents<T>(draft: Draft<T>): () => void {
  const onHide = () => void draft.flush(true)
  const onVisibility = () => void draft.flush(document.visibilityState === 'hidden')
  const onReturn = () => void draft.flush()
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('pagehide', onHide)
  window.addEventListener('online', onReturn)
  window.addEventListener('focus', onReturn)
  const unsubscribe = runBeforeLeaving(() => draft.flush())
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('pagehide', onHide)
    window.removeEventListener('online', onReturn)
    window.removeEventListener('focus', onReturn)
  }
}
