/**
 * The draft layer, free of any framework: every change is kept on this device at once, then sent to the server with
 * the version it was based on. Another's newer text is never overwritten without the person's word.
 */

/** What the device keeps while the server doesn't have it. Times are milliseconds since 1970. */
export interface DraftRecord<T> {
  value: T
  baseVersion: number
  changedAt: number
  /** What the list of drafts shows: what it is, and the page that goes on with it. */
  title: string
  href: string
}

export interface DraftVault<T> {
  read(key: string): Promise<DraftRecord<T> | undefined>
  write(key: string, record: DraftRecord<T>): Promise<void>
  remove(key: string): Promise<void>
}

export interface DraftClock {
  now(): number
  /** Runs once after so many milliseconds; answers a way to call it off. */
  after(milliseconds: number, run: () => void): () => void
}

export type SaveOutcome<T> =
  | { kind: 'saved'; version: number }
  | { kind: 'conflict'; version: number; value: T }
  | { kind: 'signedOut' }
  | { kind: 'offline' }
  | { kind: 'refused'; message: string }

export type LocalReason = 'offline' | 'signedOut' | 'refused' | 'storage'

export type DraftState<T> =
  | { kind: 'saved'; at: number | null }
  | { kind: 'saving' }
  | { kind: 'localOnly'; because: LocalReason; message: string }
  | { kind: 'conflict'; mine: T; theirs: T; theirVersion: number }

export interface DraftParts<T> {
  key: string
  title: string
  href: string
  /** The server's text and version as the page was drawn. */
  value: T
  version: number
  /** Sends the text; `leaving` asks for a request that outlives the page. */
  save(value: T, baseVersion: number, leaving: boolean): Promise<SaveOutcome<T>>
  vault: DraftVault<T>
  clock: DraftClock
  same?: (a: T, b: T) => boolean
  /** Called after every change of text or state. */
  changed?: () => void
}

export const PAUSE_MILLISECONDS = 800
const RETRY_MILLISECONDS = [2000, 5000, 15_000, 60_000]

export interface Draft<T> {
  value(): T
  state(): DraftState<T>
  /** Looks for text that this device kept from before; call once. */
  open(): Promise<void>
  type(value: T): void
  /** Sends at once: on blur, when the page hides, when the network or the person comes back. */
  flush(leaving?: boolean): Promise<void>
  resolve(choice: 'mine' | 'theirs'): Promise<void>
  /** Resolves when the device holds all that was typed. */
  settled(): Promise<void>
  close(): void
}

export function createDraft<T>(parts: DraftParts<T>): Draft<T> {
  const { key, title, href, save, vault, clock, changed = () => undefined } = parts
  const same = parts.same ?? ((a: T, b: T) => JSON.stringify(a) === JSON.stringify(b))
  let value = parts.value
  let version = parts.version
  let state: DraftState<T> = { kind: 'saved', at: null }
  let dirty = false
  let closed = false
  let failures = 0
  let kept = true
  let sending: Promise<void> | null = null
  let shelved: Promise<void> = Promise.resolve()
  let callOff = () => {}

  return {
    value: () => value,
    state: () => state,
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
    settled: () => shelved,
    close() {
      closed = true
      callOff()
    },
  }

  async function open(): Promise<void> {
    const reading = vault.read(key).catch(() => undefined)
    shelved = reading.then((record) => (record && dirty ? setAside(record) : undefined))
    const record = await reading
    await shelved
    if (!record || dirty || closed) return
    if (same(record.value, value)) return forget()
    const theirs = value
    value = record.value
    dirty = true
    if (record.baseVersion === version) {
      become({ kind: 'saving' })
      return flush()
    }
    const theirVersion = version
    version = record.baseVersion
    become({ kind: 'conflict', mine: value, theirs, theirVersion })
  }

  // Somebody typed before the device's older text was found: it stays in the list of drafts.
  async function setAside(record: DraftRecord<T>): Promise<void> {
    if (same(record.value, value)) return
    await vault.write(`${key} ${record.changedAt}`, record).catch(() => undefined)
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
    become({ kind: 'saving' })
    const outcome = await save(sent, version, leaving).catch((): SaveOutcome<T> => ({ kind: 'offline' }))
    await settle(outcome, sent)
  }

  async function settle(outcome: SaveOutcome<T>, sent: T): Promise<void> {
    if (outcome.kind === 'saved') {
      version = outcome.version
      failures = 0
      if (!same(sent, value)) return void keep()
      dirty = false
      await forget()
      if (!dirty) become({ kind: 'saved', at: clock.now() })
    } else if (outcome.kind === 'conflict') {
      if (same(outcome.value, value)) return settle({ kind: 'saved', version: outcome.version }, value)
      become({ kind: 'conflict', mine: value, theirs: outcome.value, theirVersion: outcome.version })
    } else {
      become(local(outcome.kind, outcome.kind === 'refused' ? outcome.message : ''))
      if (outcome.kind !== 'refused')
        later(RETRY_MILLISECONDS[Math.min(failures++, RETRY_MILLISECONDS.length - 1)] ?? 0)
    }
  }

  async function resolve(choice: 'mine' | 'theirs'): Promise<void> {
    if (state.kind !== 'conflict') return
    version = state.theirVersion
    if (choice === 'theirs') {
      value = state.theirs
      dirty = false
      await forget()
      become({ kind: 'saved', at: clock.now() })
      return
    }
    keep()
    become({ kind: 'saving' })
    await flush()
  }

  // Writes follow each other, and only the newest text is worth writing.
  function keep(): void {
    const record = { value, baseVersion: version, changedAt: clock.now(), title, href }
    const newest = value
    shelved = shelved.then(async () => {
      if (newest !== value || !dirty) return
      kept = await vault.write(key, record).then(
        () => true,
        () => false,
      )
    })
  }

  function forget(): Promise<void> {
    shelved = shelved.then(() => (dirty ? undefined : vault.remove(key).catch(() => undefined)))
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
