import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { addPieces, forgetOld, newRun, type Run, writePlaylist } from './playlist.ts'
import type { HlsRun } from './run.ts'

/** Ms that a file stays when it is not in the playlist any more, for those who are slow. */
const LINGER = 30_000

interface List {
  which: 'live' | 'audio'
  runs: Run[]
  past: { pieces: number; runs: number }
}

/** The playlists of a stream in a directory, and the files that they name. */
export function newShelf(directory: string) {
  const lists: List[] = [newList('live'), newList('audio')]
  /** Runs whose pieces are not all known; only the first is shown, for what it still writes comes before all of the next. */
  const line: HlsRun[] = []
  const known = new WeakSet<HlsRun>()
  let busy: Promise<void> | null = null
  const lingering = new Set<NodeJS.Timeout>()

  async function read(): Promise<void> {
    for (let [head] = line; head; [head] = line) {
      if (!known.has(head)) open(head)
      const over = head.isOver()
      const run = head
      const news = await Promise.all(lists.map(async (list) => addTo(list, run)))
      if (news.includes(true)) await Promise.all(lists.map(write))
      if (!over) return
      line.shift()
    }
  }

  function open(run: HlsRun): void {
    known.add(run)
    for (const { which, runs } of lists) {
      if (which === 'live' || run.tracks.audio) runs.push(newRun(`${run.name}-${which}.mp4`, run.from))
    }
  }

  async function addTo({ which, runs }: List, run: HlsRun): Promise<boolean> {
    const last = runs.at(-1)
    return last?.map === `${run.name}-${which}.mp4` && addPieces(last, await run.read(which))
  }

  async function write({ which, runs, past }: List): Promise<void> {
    for (const name of forgetOld(runs, past)) linger(path.join(directory, name))
    if (!runs.some(({ pieces }) => pieces.length > 0)) return
    const place = path.join(directory, `${which}.m3u8`)
    await writeFile(`${place}.new`, writePlaylist(runs, past))
    await rename(`${place}.new`, place)
  }

  function linger(file: string): void {
    const timer = setTimeout(() => {
      lingering.delete(timer)
      void rm(file, { force: true }).catch(() => {})
    }, LINGER)
    timer.unref()
    lingering.add(timer)
  }

  return {
    add: (run: HlsRun): void => void line.push(run),
    /** Takes up what is new; one look at a time. */
    look(): Promise<void> {
      busy ??= read().finally(() => {
        busy = null
      })
      return busy
    },
    /** Waits for all runs, which must have been told to end. */
    async empty(): Promise<void> {
      await Promise.all(line.map(({ ended }) => ended))
      await busy
      for (const timer of lingering) clearTimeout(timer)
    },
  }
}

const newList = (which: List['which']): List => ({ which, runs: [], past: { pieces: 0, runs: 0 } })
