import { SERVER_ERROR_TRIES } from '../call-error.ts'
import type { Choice, DraftParts, DraftState, LocalReason, SaveOutcome, ServerText } from './draft-parts.ts'
import type { DraftRecord, KeptText } from './draft-record.ts'

/**
 * The draft layer, free of any framework: every change is kept on this device at once, then sent to the server with
 * the text it was written on. Another's newer text is never overwritten without the person's word.
 */

export const PAUSE_MILLISECONDS = 800
const RETRY_MILLISECONDS = [2000, 5000, 15_000, 60_000]
const MOST_UNSURE = 20

export interface Draft<T> {
  value(): T
  state(): DraftState<T>
  /** The version of the server's text that this one is written on. */
  version(): number
  /** Looks for text that this device kept from before; call once. */
  open(): Promise<void>
  type(value: T): void
  /** Sends at once: on blur, when the page hides, when the network or the person comes back. */
  flush(leaving?: boolean): Promise<void>
  resolve(choice: Choice): Promise<void>
  /**
   * Reads the server's text and takes it in, e.g. when somebody else has saved. What was read before an own save ended
   * may be older than that save, so it is read again. Rejects with what `read` rejects with.
   */
  refresh(read: () => Promise<ServerText<T>>): Promise<void>
  /** Resolves when the device holds all that was typed. */
  settled(): Promise<void>
  close(): void
}

export function createDraft<T>(parts: DraftParts<T>): Draft<T> {
  const { title, href, save, merge, vault, clock, changed = () => undefined } = parts
  const same = parts.same ?? ((a: T, b: T) => JSON.stringify(a) === JSON.stringify(b))
  let value = parts.value
  let base: { version: number; value: T | undefined } = { version: parts.version, value: parts.value }
  // Sent without an answer: any of them may be what the server has now, and then it is nobody else's text.
  let unsure: T[] = []
  let state: DraftState<T> = { kind: 'saved', at: null }
  let dirty = false
  let chosen = false
  let closed = false
  let failures = 0
  let faults = 0
  let kept = true
  // The device keeps another text of a tab that is gone.
  let moreLeft = false
  let sending: Promise<void> | null = null
  // Counts the texts of the server that this draft has met.
  let met = 0
  let shelved: Promise<void> = Promise.resolve()
  let callOff = () => {}

  return {
    value: () => value,
    state: () => state,
    version: () => base.version,
    open,
    type(next) {
      if (same(next, value)) return
      value = next
      dirty = true
      keep()
      if (state.kind === 'conflict') become({ ...state, mine: next })
      else {
        become(state.kind === 'saved' ? { kind: 'saving' } : state)
        later(PAUSE_MILLISECONDS)
      }
    },
    flush,
    resolve,
    refresh,
    settled: () => shelved,
    close() {
      closed = true
      callOff()
      vault.close()
    },
  }

  async function open(): Promise<void> {
    const reading = vault.left().catch((): KeptText<T>[] => [])
    shelved = Promise.all([shelved, reading]).then(() => undefined)
    const found = await reading
    const [newest] = found
    if (!newest || closed) return
    // Somebody typed before the device's older text was found: its turn comes when this one is with the server.
    if (dirty) {
      moreLeft = true
      return
    }
    const page: ServerText<T> = { version: base.version, value }
    adopt(newest.record, page, found)
    await shelved
    if (same(value, page.value)) return agree(page, null)
    // The page may be newer than the device or drawn from an older copy, which versions do not tell: a save does.
    if (base.value === undefined) await meet(page)
    else become({ kind: 'saving' })
    if (state.kind === 'saving') await flush()
  }

  // What several tabs left becomes one text where it can; the rest waits, and is asked about after this one.
  function adopt(record: DraftRecord<T>, page: ServerText<T>, found: KeptText<T>[]): void {
    value = record.value
    base = { version: record.baseVersion, value: record.baseVersion === page.version ? page.value : record.base }
    unsure = [...(record.unsure ?? []), record.value]
    chosen = record.chosen ?? false
    dirty = true
    moreLeft = false
    const taken = found.filter((one, index) => {
      const other = one.record
      if (index === 0 || same(other.value, value)) return true
      const joined = other.baseVersion === base.version ? join(other.value) : null
      if (joined === null) {
        moreLeft = true
        return false
      }
      value = joined
      chosen ||= other.chosen ?? false
      unsure.push(...(other.unsure ?? []), other.value)
      return true
    })
    keep()
    // Only when this tab's own copy is written may the ones it came from go.
    shelved = shelved.then(async () => {
      if (kept) for (const one of taken) await vault.drop(one).catch(() => undefined)
    })
  }

  async function flush(leaving = false): Promise<void> {
    callOff()
    if (!dirty || closed || state.kind === 'conflict') return
    if (sending) {
      await sending
      if (state.kind === 'saving') await flush(leaving)
      return
    }
    sending = send(leaving).finally(() => {
      sending = null
    })
    await sending
    if (dirty && state.kind === 'saving') later(PAUSE_MILLISECONDS)
  }

  async function send(leaving: boolean): Promise<void> {
    const sent = value
    if (base.value === undefined) return
    unsure = [...unsure, sent].slice(-MOST_UNSURE)
    become({ kind: 'saving' })
    const more = { base: base.value, chosen }
    const outcome = await save(sent, base.version, leaving, more).catch((): SaveOutcome<T> => ({ kind: 'offline' }))
    await settle(outcome, sent)
  }

  async function settle(outcome: SaveOutcome<T>, sent: T): Promise<void> {
    if (outcome.kind === 'saved') {
      rebase({ version: outcome.version, value: sent })
      failures = 0
      faults = 0
      chosen = false
      if (!same(sent, value)) return void keep()
      return agree({ version: outcome.version, value: sent }, clock.now())
    }
    if (outcome.kind === 'conflict') return meet(outcome)
    become(local(outcome.kind, outcome.kind === 'refused' ? outcome.message : ''))
    if (outcome.kind === 'failed' && ++faults >= SERVER_ERROR_TRIES) return
    if (outcome.kind !== 'refused') later(RETRY_MILLISECONDS[Math.min(failures++, RETRY_MILLISECONDS.length - 1)] ?? 0)
  }

  // The server has another text than the one that was written on.
  async function meet(theirs: ServerText<T>): Promise<void> {
    met += 1
    if (same(theirs.value, value)) return agree(theirs, clock.now())
    const own = unsure.some((one) => same(one, theirs.value))
    const joined = own ? value : join(theirs.value)
    if (joined === null) {
      const { version: theirVersion, by } = theirs
      return become({ kind: 'conflict', base: base.value, mine: value, theirs: theirs.value, theirVersion, by })
    }
    rebase(theirs)
    value = joined
    if (same(joined, theirs.value)) await agree(theirs, clock.now())
    else {
      keep()
      become({ kind: 'saving' })
    }
    if (!own) parts.merged?.(theirs.by)
  }

  async function refresh(read: () => Promise<ServerText<T>>): Promise<void> {
    for (;;) {
      if (sending) await sending
      const before = met
      const news = await read()
      if (closed) return
      if (!sending && met === before) return learn(news)
    }
  }

  async function learn(news: ServerText<T>): Promise<void> {
    if (news.version === base.version) return
    if (state.kind === 'conflict' && news.version === state.theirVersion) return
    if (!dirty) {
      value = news.value
      return agree(news, clock.now())
    }
    await meet(news)
    if (state.kind === 'saving') later(PAUSE_MILLISECONDS)
  }

  async function resolve(choice: Choice): Promise<void> {
    if (state.kind !== 'conflict') return
    const { theirs, theirVersion } = state
    const mine = value
    value = join(theirs, choice) ?? (choice === 'theirs' ? theirs : mine)
    // What is given up stays within reach: the own text on this device, the other one in the server's history.
    if (choice === 'theirs') await vault.setAside(record(mine)).catch(() => undefined)
    else chosen = true
    rebase({ version: theirVersion, value: theirs })
    if (same(value, theirs)) return agree({ version: theirVersion, value: theirs }, clock.now())
    keep()
    become({ kind: 'saving' })
    await flush()
  }

  function join(theirs: T, choice?: Choice): T | null {
    if (!merge || base.value === undefined) return null
    return merge({ base: base.value, mine: value, theirs }, choice)
  }

  function rebase({ version, value: text }: ServerText<T>): void {
    base = { version, value: text }
    unsure = []
    met += 1
  }

  async function agree(text: ServerText<T>, at: number | null): Promise<void> {
    rebase(text)
    dirty = false
    chosen = false
    await forget()
    if (dirty) return
    become({ kind: 'saved', at })
    if (!moreLeft) return
    moreLeft = false
    // Not awaited: this may be the end of a save, which the next one waits for.
    void open()
  }

  function record(text: T): DraftRecord<T> {
    const written = base.value === undefined ? {} : { base: base.value }
    return { value: text, baseVersion: base.version, ...written, unsure, chosen, changedAt: clock.now(), title, href }
  }

  // Begun in the same breath as the change: a tab that dies a moment later has lost nothing. A vault writes in order.
  function keep(): void {
    const writing = vault.write(record(value)).then(
      () => true,
      () => false,
    )
    shelved = Promise.all([shelved, writing]).then(([, done]) => {
      kept = done
    })
  }

  function forget(): Promise<void> {
    shelved = shelved.then(() => (dirty ? undefined : vault.remove().catch(() => undefined)))
    return shelved
  }

  function local(because: LocalReason, message: string): DraftState<T> {
    return { kind: 'localOnly', because: kept ? because : 'storage', message }
  }

  function later(milliseconds: number): void {
    callOff()
    callOff = clock.after(milliseconds, () => void flush())
  }

  function become(next: DraftState<T>): void {
    state = next
    if (!closed) changed()
  }
}
