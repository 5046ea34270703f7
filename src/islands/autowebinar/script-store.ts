import { atom } from 'nanostores'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { runBeforeLeaving } from '#islands/stores/page.ts'
import { compareEntries } from '#lib/autowebinar/play-rules.ts'
import { type EntryContent, MAX_OFFSET_MS, type ScriptEntry, TRACK_OF } from '#lib/autowebinar/schema.ts'

/** How the keeping stands: `lost` without a network (it goes on by itself), `refused` when the server said no. */
export type Keeping = { kind: 'saved' } | { kind: 'saving' } | { kind: 'lost' } | { kind: 'refused'; message: string }

/** The script as its editor knows it, in its order. */
export const $lines = atom<readonly ScriptEntry[]>([])
export const $chosen = atom<ReadonlySet<string>>(new Set())
/** Where the film stands, in milliseconds of the showing. */
export const $at = atom(0)
export const $keeping = atom<Keeping>({ kind: 'saved' })
/** How many steps may be taken back. */
export const $steps = atom(0)

interface Step {
  before: readonly ScriptEntry[]
  after: readonly ScriptEntry[]
}

let workshopId = ''
let steps: Step[] = []
let queue: Promise<unknown> = Promise.resolve()
let waiting = 0
/** Versions as the server knows them; 0 for a line that it does not have, or has thrown away. */
const known = new Map<string, { version: number; gone: boolean }>()

/** Opens a script; gives how to close it. */
export function openScript(id: string, lines: readonly ScriptEntry[]): () => void {
  workshopId = id
  steps = []
  known.clear()
  for (const line of lines) known.set(line.id, { version: line.version, gone: false })
  $lines.set([...lines].sort(compareEntries))
  $chosen.set(new Set())
  $steps.set(0)
  $keeping.set({ kind: 'saved' })
  return runBeforeLeaving(() => queue)
}

/** A new line at a moment; it is chosen. */
export function addLine(content: EntryContent, offsetMs: number): string {
  const id = crypto.randomUUID()
  const line = {
    ...content,
    id,
    offsetMs: clamp(offsetMs),
    position: 0,
    version: 0,
    track: TRACK_OF[content.type],
  } as ScriptEntry
  change([], [line])
  $chosen.set(new Set([id]))
  return id
}

/** Other words, or another moment, of one line. */
export function editLine(line: ScriptEntry, content: EntryContent, offsetMs = line.offsetMs): void {
  change([line], [{ ...line, ...content, offsetMs: clamp(offsetMs) } as ScriptEntry])
}

/** Moves lines together; none leaves the showing. */
export function shift(ids: ReadonlySet<string>, byMs: number): void {
  const before = $lines.get().filter(({ id }) => ids.has(id))
  if (before.length === 0 || byMs === 0) return
  change(
    before,
    before.map((line) => ({ ...line, offsetMs: clamp(line.offsetMs + byMs) })),
  )
}

export function removeLines(ids: ReadonlySet<string>): void {
  const before = $lines.get().filter(({ id }) => ids.has(id))
  if (before.length > 0) change(before, [])
  $chosen.set(new Set())
}

/** Takes the last change back. */
export function undo(): void {
  const step = steps.pop()
  $steps.set(steps.length)
  if (step) apply(step.after, step.before)
}

export function choose(ids: Iterable<string>): void {
  $chosen.set(new Set(ids))
}

const clamp = (ms: number): number => Math.round(Math.min(MAX_OFFSET_MS, Math.max(0, ms)))

const MOST_STEPS = 100

function change(before: readonly ScriptEntry[], after: readonly ScriptEntry[]): void {
  steps = [...steps.slice(1 - MOST_STEPS), { before, after }]
  $steps.set(steps.length)
  apply(before, after)
}

/** Shows the change at once and tells the server of it, one after another. */
function apply(before: readonly ScriptEntry[], after: readonly ScriptEntry[]): void {
  const out = new Set([...before, ...after].map(({ id }) => id))
  const rest = $lines.get().filter(({ id }) => !out.has(id))
  $lines.set([...rest, ...after].sort(compareEntries))
  const stays = new Set(after.map(({ id }) => id))
  const gone = before.filter(({ id }) => !stays.has(id))
  const moved = movedBy(before, after)
  if (gone.length > 0) send(() => remove(gone.map(({ id }) => id)))
  if (moved !== null)
    send(() =>
      move(
        after.map(({ id }) => id),
        moved,
      ),
    )
  else for (const line of after) send(() => save(line))
}

/** By how much many lines moved that are otherwise the same: one call is enough for them. */
function movedBy(before: readonly ScriptEntry[], after: readonly ScriptEntry[]): number | null {
  if (after.length < 2 || before.length !== after.length) return null
  const was = new Map(before.map((line) => [line.id, line]))
  const by = after.map((line) => {
    const old = was.get(line.id)
    return old && old.payload === line.payload && !known.get(line.id)?.gone ? line.offsetMs - old.offsetMs : Number.NaN
  })
  const [first = Number.NaN] = by
  return by.every((one) => one === first) ? first : null
}

const RETRY_MS = 3000

function send(call: () => Promise<unknown>): void {
  waiting++
  $keeping.set({ kind: 'saving' })
  queue = queue.then(async () => {
    for (let tries = 1; ; tries++) {
      try {
        await call()
        break
      } catch (error) {
        if (!(error instanceof CallError) || !error.mayRetry(tries)) {
          $keeping.set({ kind: 'refused', message: error instanceof Error ? error.message : '' })
          await reread().catch(() => undefined)
          break
        }
        if (error.temporary) $keeping.set({ kind: 'lost' })
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    waiting--
    if (waiting === 0 && $keeping.get().kind !== 'refused') $keeping.set({ kind: 'saved' })
  })
}

/** Reads the script anew, e.g. because somebody else changed a line; what could be taken back is forgotten. */
export async function reread(): Promise<void> {
  const lines = (await api.autowebinar.listLines({ workshopId }, QUIET)) as ScriptEntry[]
  steps = []
  $steps.set(0)
  known.clear()
  for (const line of lines) known.set(line.id, { version: line.version, gone: false })
  $lines.set([...lines].sort(compareEntries))
}

const QUIET = { context: { quiet: true } }

async function save(line: ScriptEntry): Promise<void> {
  const { id: lineId, offsetMs, position, type, payload } = line
  const old = known.get(lineId)
  if (old?.gone) await restore(lineId, old.version)
  const version = known.get(lineId)?.version ?? 0
  const content = { type, payload } as EntryContent
  const saved = await api.autowebinar.saveLine({ workshopId, lineId, version, offsetMs, position, content }, QUIET)
  known.set(lineId, { version: saved.version, gone: false })
}

async function restore(lineId: string, version: number): Promise<void> {
  const { changed } = await api.autowebinar.restoreLines({ workshopId, lines: [{ lineId, version }] }, QUIET)
  for (const one of changed) known.set(one.lineId, { version: one.version, gone: false })
}

async function remove(ids: readonly string[]): Promise<void> {
  const { changed, conflicts } = await api.autowebinar.deleteLines({ workshopId, lines: versions(ids) }, QUIET)
  for (const one of changed) known.set(one.lineId, { version: one.version, gone: true })
  if (conflicts.length > 0) await reread()
}

async function move(ids: readonly string[], byMs: number): Promise<void> {
  const { changed, conflicts } = await api.autowebinar.shiftLines({ workshopId, lines: versions(ids), byMs }, QUIET)
  for (const one of changed) known.set(one.lineId, { version: one.version, gone: false })
  if (conflicts.length > 0) await reread()
}

const versions = (ids: readonly string[]) =>
  ids.flatMap((lineId) => {
    const version = known.get(lineId)?.version ?? 0
    return version > 0 ? [{ lineId, version }] : []
  })
