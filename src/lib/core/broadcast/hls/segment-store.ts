import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { addSegments, createSegmentRun, formatPlaylist, removeOldSegments, type SegmentRun } from './playlist.ts'
import type { HlsTranscoder } from './transcoder.ts'

/** Time for which a file is retained after its removal from the playlist, for slow viewers. */
const RETENTION_MS = 30_000

interface LivePlaylist {
  kind: 'live' | 'audio'
  runs: SegmentRun[]
  removed: { segments: number; runs: number }
}

/** Maintains the playlists of a stream in a directory and deletes old files. */
export function createSegmentStore(directory: string) {
  const playlists: LivePlaylist[] = [createPlaylist('live'), createPlaylist('audio')]
  /** Transcoders with unread segments. Only the first is read: its remaining segments precede those of the next. */
  const transcoders: HlsTranscoder[] = []
  const opened = new WeakSet<HlsTranscoder>()
  let polling: Promise<void> | null = null
  const removalTimers = new Set<NodeJS.Timeout>()

  async function readAll(): Promise<void> {
    for (let [transcoder] = transcoders; transcoder; [transcoder] = transcoders) {
      if (!opened.has(transcoder)) openRun(transcoder)
      const isOver = transcoder.hasEnded()
      const run = transcoder
      const changes = await Promise.all(playlists.map(async (playlist) => readNewSegments(playlist, run)))
      if (changes.includes(true)) await Promise.all(playlists.map(write))
      if (!isOver) return
      transcoders.shift()
    }
  }

  function openRun(run: HlsTranscoder): void {
    opened.add(run)
    for (const { kind, runs } of playlists) {
      if (kind === 'live' || run.tracks.audio) runs.push(createSegmentRun(`${run.name}-${kind}.mp4`, run.startedAt))
    }
  }

  async function readNewSegments({ kind, runs }: LivePlaylist, run: HlsTranscoder): Promise<boolean> {
    const last = runs.at(-1)
    return last?.initUri === `${run.name}-${kind}.mp4` && addSegments(last, await run.readSegments(kind))
  }

  async function write({ kind, runs, removed }: LivePlaylist): Promise<void> {
    for (const name of removeOldSegments(runs, removed)) removeLater(path.join(directory, name))
    if (!runs.some(({ segments }) => segments.length > 0)) return
    const file = path.join(directory, `${kind}.m3u8`)
    await writeFile(`${file}.new`, formatPlaylist(runs, removed))
    await rename(`${file}.new`, file)
  }

  function removeLater(file: string): void {
    const timer = setTimeout(() => {
      removalTimers.delete(timer)
      void rm(file, { force: true }).catch(() => {})
    }, RETENTION_MS)
    timer.unref()
    removalTimers.add(timer)
  }

  return {
    add: (run: HlsTranscoder): void => void transcoders.push(run),
    /** Reads new segments and updates the playlists; concurrent calls share one poll. */
    poll(): Promise<void> {
      polling ??= readAll().finally(() => {
        polling = null
      })
      return polling
    },
    /** Waits for all transcoders, which must have been closed. */
    async close(): Promise<void> {
      await Promise.all(transcoders.map(({ ended }) => ended))
      await polling
      for (const timer of removalTimers) clearTimeout(timer)
    },
  }
}

const createPlaylist = (kind: LivePlaylist['kind']): LivePlaylist => ({
  kind,
  runs: [],
  removed: { segments: 0, runs: 0 },
})
