import { openDatabase } from '../safe-database.ts'
import type { DraftRecord, DraftVault } from './draft-record.ts'

/** A draft on this device, for the person's list of them. */
export interface KeptDraft {
  /** Names it on this device. */
  slot: string
  key: string
  title: string
  href: string
  changedAt: number
  /** Given up for another text, or found too late to go on with: only the list still shows it. */
  aside: boolean
}

const MONTH_MILLISECONDS = 30 * 24 * 3600_000
const CHANGED = 'kafedra-drafts'

/**
 * What this tab keeps of one text of one person: it stays through sign-out and comes back to the same person only.
 * `owner` is the membership's id.
 */
export function deviceVault<T>(owner: string, key: string): DraftVault<T> {
  const name = `${owner} ${key}`
  // Nothing is held where the text is only drawn, as on the server.
  let held: { slot: string; letGo: () => void } | undefined
  const mine = () => {
    held ??= hold(`${name}#${randomName()}`)
    return held.slot
  }
  return {
    async left() {
      mine()
      const taken = await heldSlots()
      const all = await database.entries()
      return all
        .map(([slot, record]) => ({ slot, record: record as DraftRecord<T> }))
        .filter(({ slot }) => keyOf(slot) === name && !isAside(slot) && !taken.has(slot))
        .sort((a, b) => b.record.changedAt - a.record.changedAt)
    },
    write: (record) => put(mine(), record),
    remove: () => dropDraft(mine()),
    drop: ({ slot, record }) => dropDraft(slot, ({ changedAt }) => changedAt !== record.changedAt),
    setAside: (record) => put(`${name}#${ASIDE}${randomName()}`, record),
    close: () => held?.letGo(),
  }
}

/** The drafts of one person on this device, newest first. What was put aside goes after thirty days. */
export async function listDrafts(owner: string): Promise<KeptDraft[]> {
  const all = await database.entries()
  const drafts: KeptDraft[] = []
  for (const [slot, { title, href, changedAt }] of all) {
    if (!slot.startsWith(`${owner} `)) continue
    const aside = isAside(slot)
    if (aside && changedAt < Date.now() - MONTH_MILLISECONDS) await dropDraft(slot)
    else drafts.push({ slot, key: keyOf(slot).slice(owner.length + 1), title, href, changedAt, aside })
  }
  return drafts.sort((a, b) => b.changedAt - a.changedAt)
}

/** The text of a draft of the list. */
export async function readDraft(slot: string): Promise<unknown> {
  return (await database.get(slot))?.value
}

/** Deletes the draft of that slot, unless `keeps` says otherwise of the stored record. */
export async function dropDraft(slot: string, keeps?: (record: DraftRecord<unknown>) => boolean): Promise<void> {
  await database.remove(slot, keeps)
  tell()
}

/** Calls `changed` when a draft of any tab comes or goes. Answers how to call it off. */
export function followDrafts(changed: () => void): () => void {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANGED) : null
  channel?.addEventListener('message', changed)
  window.addEventListener(CHANGED, changed)
  return () => {
    channel?.close()
    window.removeEventListener(CHANGED, changed)
  }
}

const ASIDE = 'aside-'
const isAside = (slot: string): boolean => slot.slice(keyOf(slot).length + 1).startsWith(ASIDE)

// Before tabs had places of their own, the text's name was all.
function keyOf(slot: string): string {
  const end = slot.lastIndexOf('#')
  return end < 0 ? slot : slot.slice(0, end)
}

const database = openDatabase<DraftRecord<unknown>>('kafedra-drafts', 'drafts')
let tells: BroadcastChannel | undefined

// A draft that only memory holds is found again on this page, yet the person must know that the device has not stored it.
async function put(slot: string, record: DraftRecord<unknown>): Promise<void> {
  const stored = await database.put(slot, record)
  tell()
  if (!stored) throw new Error('the browser does not store drafts')
}

function tell(): void {
  window.dispatchEvent(new Event(CHANGED))
  if (!('BroadcastChannel' in globalThis)) return
  tells ??= new BroadcastChannel(CHANGED)
  tells.postMessage(null)
}

/*
 * A slot's name is held as a lock for as long as its tab lives, so that others know a dead one's. Where a page has no
 * locks (plain http), all slots but this document's own count as left behind; taking such a one up copies it.
 */
const own = new Set<string>()

function hold(slot: string) {
  own.add(slot)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  globalThis.navigator?.locks?.request(slot, () => held).catch(() => undefined)
  const letGo = () => {
    own.delete(slot)
    release()
  }
  return { slot, letGo }
}

async function heldSlots(): Promise<Set<string>> {
  const state = await globalThis.navigator?.locks?.query().catch(() => undefined)
  const names = [...(state?.held ?? []), ...(state?.pending ?? [])].map(({ name = '' }) => name)
  return new Set([...own, ...names])
}

function randomName(): string {
  return crypto.getRandomValues(new Uint32Array(3)).join('')
}
