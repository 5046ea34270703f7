import { backoffMs } from '#lib/core/shared/backoff.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { MAX_SERVER_ERROR_ATTEMPTS } from '../call-error.ts'
import type { AbandonedDraft, DraftRecord } from './draft-record.ts'
import type {
  ConflictResolution,
  Draft,
  DraftSettings,
  DraftState,
  LocalReason,
  SaveOutcome,
  ServerText,
} from './draft-settings.ts'

/**
 * The draft layer, independent of any framework: every change is stored on this device immediately, then sent to the
 * server with its base version. A newer text of another author is never overwritten without the user's choice.
 */

const SAVE_DELAY_MS = 800
const RETRY = { firstMs: 2000, maxMs: MINUTE_MS }
const MAX_UNCONFIRMED = 20

export function createDraft<T>(settings: DraftSettings<T>): Draft<T> {
  const { title, href, save, merge, store, clock, onChange = () => undefined } = settings
  const isSame = settings.isSame ?? ((a: T, b: T) => JSON.stringify(a) === JSON.stringify(b))
  let value = settings.value
  let base: { version: number; value: T | undefined } = { version: settings.version, value: settings.value }
  // Texts that were sent without a response: if the server's text is one of them, it is not another author's.
  let unconfirmed: T[] = []
  let state: DraftState<T> = { kind: 'saved', at: null }
  let isDirty = false
  let isChosen = false
  let isClosed = false
  let failures = 0
  let faults = 0
  let isStored = true
  // The device has another draft of a closed tab.
  let hasMoreDrafts = false
  let sending: Promise<void> | null = null
  // Number of server texts that this draft was merged with or based on.
  let serverTextCount = 0
  let stored: Promise<void> = Promise.resolve()
  let cancelTimer = () => {}

  return {
    value: () => value,
    state: () => state,
    version: () => base.version,
    restore: open,
    type(next) {
      if (isSame(next, value)) return
      value = next
      isDirty = true
      storeDraft()
      if (state.kind === 'conflict') setState({ ...state, mine: next })
      else {
        setState(state.kind === 'saved' ? { kind: 'saving' } : state)
        scheduleFlush(SAVE_DELAY_MS)
      }
    },
    flush,
    resolve,
    refresh,
    whenStored: () => stored,
    close() {
      isClosed = true
      cancelTimer()
      store.close()
    },
  }

  async function open(): Promise<void> {
    const reading = store.listAbandoned().catch((): AbandonedDraft<T>[] => [])
    stored = Promise.all([stored, reading]).then(() => undefined)
    const drafts = await reading
    const [newest] = drafts
    if (!newest || isClosed) return
    // The user typed before the older draft was loaded: it is restored after this text has been saved.
    if (isDirty) {
      hasMoreDrafts = true
      return
    }
    const page: ServerText<T> = { version: base.version, value }
    adoptDrafts(newest.record, page, drafts)
    await stored
    if (isSame(value, page.value)) return acceptServerText(page, null)
    // The page may be newer than the draft or rendered from an older copy; the versions do not show which; the next
    // save does.
    if (base.value === undefined) await mergeServerText(page)
    else setState({ kind: 'saving' })
    if (state.kind === 'saving') await flush()
  }

  // Drafts of several tabs are merged where possible; the others are restored after this one.
  function adoptDrafts(record: DraftRecord<T>, page: ServerText<T>, drafts: AbandonedDraft<T>[]): void {
    value = record.value
    base = { version: record.baseVersion, value: record.baseVersion === page.version ? page.value : record.base }
    unconfirmed = [...(record.unsure ?? []), record.value]
    isChosen = record.chosen ?? false
    isDirty = true
    hasMoreDrafts = false
    const mergedDrafts = drafts.filter((draft, index) => {
      const other = draft.record
      if (index === 0 || isSame(other.value, value)) return true
      const merged = other.baseVersion === base.version ? mergeTexts(other.value) : null
      if (merged === null) {
        hasMoreDrafts = true
        return false
      }
      value = merged
      isChosen ||= other.chosen ?? false
      unconfirmed.push(...(other.unsure ?? []), other.value)
      return true
    })
    storeDraft()
    // The merged drafts are removed only after this tab's copy is stored.
    stored = stored.then(async () => {
      if (isStored) for (const draft of mergedDrafts) await store.removeAbandoned(draft).catch(() => undefined)
    })
  }

  async function flush(leaving = false): Promise<void> {
    cancelTimer()
    if (!isDirty || isClosed || state.kind === 'conflict') return
    if (sending) {
      await sending
      if (state.kind === 'saving') await flush(leaving)
      return
    }
    sending = send(leaving).finally(() => {
      sending = null
    })
    await sending
    if (isDirty && state.kind === 'saving') scheduleFlush(SAVE_DELAY_MS)
  }

  async function send(leaving: boolean): Promise<void> {
    const sent = value
    if (base.value === undefined) return
    unconfirmed = [...unconfirmed, sent].slice(-MAX_UNCONFIRMED)
    setState({ kind: 'saving' })
    const more = { base: base.value, chosen: isChosen }
    const outcome = await save(sent, base.version, leaving, more).catch((): SaveOutcome<T> => ({ kind: 'offline' }))
    await handleOutcome(outcome, sent)
  }

  async function handleOutcome(outcome: SaveOutcome<T>, sent: T): Promise<void> {
    if (outcome.kind === 'saved') {
      rebase({ version: outcome.version, value: sent })
      failures = 0
      faults = 0
      isChosen = false
      if (!isSame(sent, value)) return void storeDraft()
      return acceptServerText({ version: outcome.version, value: sent }, clock.now())
    }
    if (outcome.kind === 'conflict') return mergeServerText(outcome)
    setState(localState(outcome.kind, outcome.kind === 'refused' ? outcome.message : ''))
    if (outcome.kind === 'failed' && ++faults >= MAX_SERVER_ERROR_ATTEMPTS) return
    if (outcome.kind !== 'refused') scheduleFlush(backoffMs(++failures, RETRY))
  }

  // The server has another text than the base.
  async function mergeServerText(theirs: ServerText<T>): Promise<void> {
    serverTextCount += 1
    if (isSame(theirs.value, value)) return acceptServerText(theirs, clock.now())
    const isOwnText = unconfirmed.some((text) => isSame(text, theirs.value))
    const merged = isOwnText ? value : mergeTexts(theirs.value)
    if (merged === null) {
      const { version: theirVersion, by } = theirs
      return setState({ kind: 'conflict', base: base.value, mine: value, theirs: theirs.value, theirVersion, by })
    }
    rebase(theirs)
    value = merged
    if (isSame(merged, theirs.value)) await acceptServerText(theirs, clock.now())
    else {
      storeDraft()
      setState({ kind: 'saving' })
    }
    if (!isOwnText) settings.onMerged?.(theirs.by)
  }

  async function refresh(read: () => Promise<ServerText<T>>): Promise<void> {
    for (;;) {
      if (sending) await sending
      const before = serverTextCount
      const newer = await read()
      if (isClosed) return
      if (!sending && serverTextCount === before) return applyNewerText(newer)
    }
  }

  async function applyNewerText(newer: ServerText<T>): Promise<void> {
    if (newer.version === base.version) return
    if (state.kind === 'conflict' && newer.version === state.theirVersion) return
    if (!isDirty) {
      value = newer.value
      return acceptServerText(newer, clock.now())
    }
    await mergeServerText(newer)
    if (state.kind === 'saving') scheduleFlush(SAVE_DELAY_MS)
  }

  async function resolve(choice: ConflictResolution): Promise<void> {
    if (state.kind !== 'conflict') return
    const { theirs, theirVersion } = state
    const mine = value
    value = mergeTexts(theirs, choice) ?? (choice === 'theirs' ? theirs : mine)
    // A discarded text can be recovered: the own one on this device, the other one from the revisions on the server.
    if (choice === 'theirs') await store.archive(record(mine)).catch(() => undefined)
    else isChosen = true
    rebase({ version: theirVersion, value: theirs })
    if (isSame(value, theirs)) return acceptServerText({ version: theirVersion, value: theirs }, clock.now())
    storeDraft()
    setState({ kind: 'saving' })
    await flush()
  }

  function mergeTexts(theirs: T, choice?: ConflictResolution): T | null {
    if (!merge || base.value === undefined) return null
    return merge({ base: base.value, mine: value, theirs }, choice)
  }

  function rebase({ version, value: text }: ServerText<T>): void {
    base = { version, value: text }
    unconfirmed = []
    serverTextCount += 1
  }

  async function acceptServerText(text: ServerText<T>, at: number | null): Promise<void> {
    rebase(text)
    isDirty = false
    isChosen = false
    await removeStored()
    if (isDirty) return
    setState({ kind: 'saved', at })
    if (!hasMoreDrafts) return
    hasMoreDrafts = false
    // Not awaited: this may run at the end of a save, which the next save waits for.
    void open()
  }

  function record(text: T): DraftRecord<T> {
    const written = base.value === undefined ? {} : { base: base.value }
    return {
      value: text,
      baseVersion: base.version,
      ...written,
      unsure: unconfirmed,
      chosen: isChosen,
      changedAt: clock.now(),
      title,
      href,
    }
  }

  // Started synchronously with the change, so that a crash of the tab loses nothing. The store keeps the order of writes.
  function storeDraft(): void {
    const writing = store.write(record(value)).then(
      () => true,
      () => false,
    )
    stored = Promise.all([stored, writing]).then(([, done]) => {
      isStored = done
    })
  }

  function removeStored(): Promise<void> {
    stored = stored.then(() => (isDirty ? undefined : store.remove().catch(() => undefined)))
    return stored
  }

  function localState(reason: LocalReason, message: string): DraftState<T> {
    return { kind: 'localOnly', reason: isStored ? reason : 'storage', message }
  }

  function scheduleFlush(milliseconds: number): void {
    cancelTimer()
    cancelTimer = clock.after(milliseconds, () => void flush())
  }

  function setState(next: DraftState<T>): void {
    state = next
    if (!isClosed) onChange()
  }
}
