import { DAY_MS } from '#lib/core/shared/time.ts'
import { openDatabase } from '../safe-database.ts'
import type { DraftRecord, DraftStore } from './draft-record.ts'

/** A draft on this device, for the user's list of drafts. */
export interface StoredDraft {
  /** Its key in the database of this device. */
  slot: string
  key: string
  title: string
  href: string
  changedAt: number
  /** Discarded in favor of another text: only the list shows it. */
  isArchived: boolean
}

const ARCHIVE_MS = 30 * DAY_MS
const CHANGE_EVENT = 'kafedra-drafts'

/**
 * The draft store of one text for this tab. Drafts survive sign-out and are restored for the same member only. `owner` is
 * the membership's id.
 */
export function createDeviceDraftStore<T>(owner: string, key: string): DraftStore<T> {
  const name = `${owner} ${key}`
  // No lock where the text is only rendered, as on the server.
  let lock: { slot: string; release: () => void } | undefined
  const ownSlot = () => {
    lock ??= lockSlot(`${name}#${randomName()}`)
    return lock.slot
  }
  return {
    async listAbandoned() {
      ownSlot()
      const locked = await listLockedSlots()
      const all = await database.entries()
      return all
        .map(([slot, record]) => ({ slot, record: record as DraftRecord<T> }))
        .filter(({ slot }) => draftKey(slot) === name && !isArchivedSlot(slot) && !locked.has(slot))
        .sort((a, b) => b.record.changedAt - a.record.changedAt)
    },
    write: (record) => put(ownSlot(), record),
    remove: () => deleteDraft(ownSlot()),
    // An older copy may be in the database where the journal had the record.
    removeAbandoned: ({ slot, record }) => deleteDraft(slot, ({ changedAt }) => changedAt > record.changedAt),
    archive: (record) => put(`${name}#${ARCHIVE_PREFIX}${randomName()}`, record),
    close: () => lock?.release(),
  }
}

/** The drafts of one member on this device, newest first. Archived ones are deleted after thirty days. */
export async function listDrafts(owner: string): Promise<StoredDraft[]> {
  const all = await database.entries()
  const drafts: StoredDraft[] = []
  for (const [slot, { title, href, changedAt }] of all) {
    if (!slot.startsWith(`${owner} `)) continue
    const isArchived = isArchivedSlot(slot)
    if (isArchived && changedAt < Date.now() - ARCHIVE_MS) await deleteDraft(slot)
    else drafts.push({ slot, key: draftKey(slot).slice(owner.length + 1), title, href, changedAt, isArchived })
  }
  return drafts.sort((a, b) => b.changedAt - a.changedAt)
}

/** The text of a stored draft. */
export async function readDraft(slot: string): Promise<unknown> {
  return (await database.get(slot))?.value
}

/** Deletes the draft of that slot, unless `shouldKeep` returns true for the stored record. */
export async function deleteDraft(slot: string, shouldKeep?: (record: DraftRecord<unknown>) => boolean): Promise<void> {
  await database.remove(slot, shouldKeep)
  publishChange()
}

/** Calls `onChange` when a draft is stored or deleted in any tab. Returns a function that unsubscribes. */
export function subscribeToDrafts(onChange: () => void): () => void {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANGE_EVENT) : null
  channel?.addEventListener('message', onChange)
  window.addEventListener(CHANGE_EVENT, onChange)
  return () => {
    channel?.close()
    window.removeEventListener(CHANGE_EVENT, onChange)
  }
}

const ARCHIVE_PREFIX = 'aside-'
const isArchivedSlot = (slot: string): boolean => slot.slice(draftKey(slot).length + 1).startsWith(ARCHIVE_PREFIX)

// Older drafts have no slot suffix.
function draftKey(slot: string): string {
  const end = slot.lastIndexOf('#')
  return end < 0 ? slot : slot.slice(0, end)
}

const database = openDatabase<DraftRecord<unknown>>('kafedra-drafts', 'drafts', { isJournaled: true })
let changeChannel: BroadcastChannel | undefined

// A draft that is only in memory is available on this page, but the user must see that the device has not stored it.
async function put(slot: string, record: DraftRecord<unknown>): Promise<void> {
  const stored = await database.put(slot, record)
  publishChange()
  if (!stored) throw new Error('the browser does not store drafts')
}

function publishChange(): void {
  window.dispatchEvent(new Event(CHANGE_EVENT))
  if (!('BroadcastChannel' in globalThis)) return
  changeChannel ??= new BroadcastChannel(CHANGE_EVENT)
  changeChannel.postMessage(null)
}

/*
 * A tab holds a Web Lock with the name of its slot, so that other tabs recognize the slots of closed tabs. Without Web
 * Locks (plain HTTP) all slots except those of this document count as abandoned; restoring such a draft copies it.
 */
const ownSlots = new Set<string>()

function lockSlot(slot: string) {
  ownSlots.add(slot)
  let resolveLock = () => {}
  const released = new Promise<void>((resolve) => {
    resolveLock = resolve
  })
  globalThis.navigator?.locks?.request(slot, () => released).catch(() => undefined)
  const release = () => {
    ownSlots.delete(slot)
    resolveLock()
  }
  return { slot, release }
}

async function listLockedSlots(): Promise<Set<string>> {
  const state = await globalThis.navigator?.locks?.query().catch(() => undefined)
  const names = [...(state?.held ?? []), ...(state?.pending ?? [])].map(({ name = '' }) => name)
  return new Set([...ownSlots, ...names])
}

function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(3)).join('')
}
