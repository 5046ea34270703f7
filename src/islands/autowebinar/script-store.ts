import { atom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { runBeforeLeaving } from '#islands/stores/page.ts'
import { retryUntilAccepted } from '#islands/stores/retry.ts'
import { compareEntries } from '#lib/autowebinar/playback-rules.ts'
import { type EntryContent, MAX_OFFSET_MS, type ScriptEntry, TRACK_OF } from '#lib/autowebinar/schema.ts'

/** State of saving: `lost` without a network (retried automatically), `refused` when the server refused. */
export type ScriptSaveState =
  | { kind: 'saved' }
  | { kind: 'saving' }
  | { kind: 'lost' }
  | { kind: 'refused'; message: string }

/** The entries of the script, in order. */
export const $entries = atom<readonly ScriptEntry[]>([])
export const $scriptSelection = atom<ReadonlySet<string>>(new Set())
/** Position of the video, in milliseconds of the event session. */
export const $positionMs = atom(0)
export const $saveState = atom<ScriptSaveState>({ kind: 'saved' })
/** Number of changes that can be undone. */
export const $undoCount = atom(0)

interface ScriptChange {
  before: readonly ScriptEntry[]
  after: readonly ScriptEntry[]
}

let workshopId = ''
let undoStack: ScriptChange[] = []
let queue: Promise<unknown> = Promise.resolve()
let pendingCount = 0
/** Versions on the server by entry id; 0 for an entry that does not exist there or is deleted. */
const knownVersions = new Map<string, { version: number; gone: boolean }>()

/** Opens a script. Returns a function that closes it. */
export function openScript(openedWorkshopId: string, entries: readonly ScriptEntry[]): () => void {
  workshopId = openedWorkshopId
  undoStack = []
  knownVersions.clear()
  for (const entry of entries) knownVersions.set(entry.id, { version: entry.version, gone: false })
  $entries.set([...entries].sort(compareEntries))
  $scriptSelection.set(new Set())
  $undoCount.set(0)
  $saveState.set({ kind: 'saved' })
  const removeLeaveHandler = runBeforeLeaving(() => queue)
  return () => {
    removeLeaveHandler()
    $entries.set([])
    $scriptSelection.set(new Set())
    $positionMs.set(0)
  }
}

/** Adds an entry at an offset and selects it. Returns its id. */
export function addEntry(content: EntryContent, offsetMs: number): string {
  const id = crypto.randomUUID()
  const entry = {
    ...content,
    id,
    offsetMs: clampOffset(offsetMs),
    position: 0,
    version: 0,
    track: TRACK_OF[content.type],
  } as ScriptEntry
  recordChange([], [entry])
  $scriptSelection.set(new Set([id]))
  return id
}

/** Changes the content or the offset of an entry. */
export function editEntry(entry: ScriptEntry, content: EntryContent, offsetMs = entry.offsetMs): void {
  recordChange([entry], [{ ...entry, ...content, offsetMs: clampOffset(offsetMs) } as ScriptEntry])
}

/** Moves entries by the same duration, within the limits of the event session. */
export function shiftSelectedEntries(ids: ReadonlySet<string>, shiftMs: number): void {
  const before = $entries.get().filter(({ id }) => ids.has(id))
  if (before.length === 0 || shiftMs === 0) return
  recordChange(
    before,
    before.map((entry) => ({ ...entry, offsetMs: clampOffset(entry.offsetMs + shiftMs) })),
  )
}

export function removeEntries(ids: ReadonlySet<string>): void {
  const before = $entries.get().filter(({ id }) => ids.has(id))
  if (before.length > 0) recordChange(before, [])
  $scriptSelection.set(new Set())
}

/** Undoes the last change. */
export function undoScriptChange(): void {
  const step = undoStack.pop()
  $undoCount.set(undoStack.length)
  if (step) applyChange(step.after, step.before)
}

export function selectEntries(ids: Iterable<string>): void {
  $scriptSelection.set(new Set(ids))
}

const clampOffset = (ms: number): number => Math.round(Math.min(MAX_OFFSET_MS, Math.max(0, ms)))

const MAX_UNDO = 100

function recordChange(before: readonly ScriptEntry[], after: readonly ScriptEntry[]): void {
  undoStack = [...undoStack.slice(1 - MAX_UNDO), { before, after }]
  $undoCount.set(undoStack.length)
  applyChange(before, after)
}

/** Applies a change immediately and queues the calls that save it. */
function applyChange(before: readonly ScriptEntry[], after: readonly ScriptEntry[]): void {
  const changedIds = new Set([...before, ...after].map(({ id }) => id))
  const unchanged = $entries.get().filter(({ id }) => !changedIds.has(id))
  $entries.set([...unchanged, ...after].sort(compareEntries))
  const remainingIds = new Set(after.map(({ id }) => id))
  const removed = before.filter(({ id }) => !remainingIds.has(id))
  const commonShiftMs = commonShift(before, after)
  if (removed.length > 0) enqueueCall(() => deleteEntries(removed.map(({ id }) => id)))
  if (commonShiftMs !== null)
    enqueueCall(() =>
      moveEntries(
        after.map(({ id }) => id),
        commonShiftMs,
      ),
    )
  else for (const entry of after) enqueueCall(() => saveEntry(entry))
}

/** Returns the duration by which all entries moved without other changes, so that one call saves them; otherwise null. */
function commonShift(before: readonly ScriptEntry[], after: readonly ScriptEntry[]): number | null {
  if (after.length < 2 || before.length !== after.length) return null
  const previousById = new Map(before.map((entry) => [entry.id, entry]))
  const shifts = after.map((entry) => {
    const previous = previousById.get(entry.id)
    return previous && previous.payload === entry.payload && !knownVersions.get(entry.id)?.gone
      ? entry.offsetMs - previous.offsetMs
      : Number.NaN
  })
  const [first = Number.NaN] = shifts
  return shifts.every((shift) => shift === first) ? first : null
}

function enqueueCall(call: () => Promise<unknown>): void {
  pendingCount++
  $saveState.set({ kind: 'saving' })
  queue = queue.then(async () => {
    try {
      await retryUntilAccepted(call, {
        waitsForSignIn: false,
        onWait: (_, { temporary }) => temporary && $saveState.set({ kind: 'lost' }),
      })
    } catch (error) {
      $saveState.set({ kind: 'refused', message: error instanceof Error ? error.message : '' })
      await reloadScript().catch(() => undefined)
    }
    pendingCount--
    if (pendingCount === 0 && $saveState.get().kind !== 'refused') $saveState.set({ kind: 'saved' })
  })
}

/** Loads the script again, e.g. after a conflict with another editor, and clears the undo stack. */
export async function reloadScript(): Promise<void> {
  const entries = (await api.autowebinar.listEntries({ workshopId }, QUIET)) as ScriptEntry[]
  undoStack = []
  $undoCount.set(0)
  knownVersions.clear()
  for (const entry of entries) knownVersions.set(entry.id, { version: entry.version, gone: false })
  $entries.set([...entries].sort(compareEntries))
}

const QUIET = { context: { isQuiet: true } }

async function saveEntry(entry: ScriptEntry): Promise<void> {
  const { id: entryId, offsetMs, position, type, payload } = entry
  const knownVersion = knownVersions.get(entryId)
  if (knownVersion?.gone) await restoreEntry(entryId, knownVersion.version)
  const version = knownVersions.get(entryId)?.version ?? 0
  const content = { type, payload } as EntryContent
  const saved = await api.autowebinar.saveEntry({ workshopId, entryId, version, offsetMs, position, content }, QUIET)
  knownVersions.set(entryId, { version: saved.version, gone: false })
}

async function restoreEntry(entryId: string, version: number): Promise<void> {
  const { changed } = await api.autowebinar.restoreEntries({ workshopId, entries: [{ entryId, version }] }, QUIET)
  for (const entry of changed) knownVersions.set(entry.entryId, { version: entry.version, gone: false })
}

async function deleteEntries(ids: readonly string[]): Promise<void> {
  const { changed, conflicts } = await api.autowebinar.deleteEntries({ workshopId, entries: withVersions(ids) }, QUIET)
  for (const entry of changed) knownVersions.set(entry.entryId, { version: entry.version, gone: true })
  if (conflicts.length > 0) await reloadScript()
}

async function moveEntries(ids: readonly string[], byMs: number): Promise<void> {
  const { changed, conflicts } = await api.autowebinar.shiftEntries(
    { workshopId, entries: withVersions(ids), byMs },
    QUIET,
  )
  for (const entry of changed) knownVersions.set(entry.entryId, { version: entry.version, gone: false })
  if (conflicts.length > 0) await reloadScript()
}

const withVersions = (ids: readonly string[]) =>
  ids.flatMap((entryId) => {
    const version = knownVersions.get(entryId)?.version ?? 0
    return version > 0 ? [{ entryId, version }] : []
  })
