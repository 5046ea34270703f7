/* HLS playlists (RFC 8216): each ffmpeg run writes one; viewers get one playlist of all runs. */

export interface PlaylistSegment {
  /** Counted from 0 in its run. */
  sequence: number
  uri: string
  seconds: number
}

/** Segments of a playlist that ffmpeg wrote. */
export function parseSegments(text: string): PlaylistSegment[] {
  let sequence = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)/m.exec(text)?.[1] ?? 0)
  const segments: PlaylistSegment[] = []
  let seconds: number | null = null
  for (const line of text.split('\n')) {
    const length = /^#EXTINF:([\d.]+),/.exec(line)?.[1]
    if (length !== undefined) seconds = Number(length)
    const uri = /^[^#\s]\S*/.exec(line)?.[0]
    if (uri === undefined || seconds === null) continue
    segments.push({ sequence, uri, seconds })
    seconds = null
    sequence += 1
  }
  return segments
}

/** The known segments of one ffmpeg run. */
export interface SegmentRun {
  initUri: string
  /** Wall-clock time of its start, ms since 1970. */
  startedAt: number
  segments: PlaylistSegment[]
  /** Duration and number of the segments removed before the first of `segments`. */
  removed: { seconds: number; segments: number }
}

export const createSegmentRun = (initUri: string, startedAt: number): SegmentRun => ({
  initUri,
  startedAt,
  segments: [],
  removed: { seconds: 0, segments: 0 },
})

/** Adds the new segments of a run's playlist. Returns whether there were any. */
export function addSegments(run: SegmentRun, listed: readonly PlaylistSegment[]): boolean {
  const next = run.removed.segments + run.segments.length
  const added = listed.filter(({ sequence }) => sequence >= next)
  run.segments.push(...added)
  return added.length > 0
}

/** Segments in the playlist: players start three segments before the end and may stall. */
const PLAYLIST_SEGMENTS = 8

/** Numbers of removed segments and runs. */
export interface RemovedCounts {
  segments: number
  runs: number
}

/** Removes segments that are no longer listed. Returns the names of files to delete. */
export function removeOldSegments(runs: SegmentRun[], removed: RemovedCounts): string[] {
  const removedFiles: string[] = []
  let segmentCount = runs.reduce((sum, { segments }) => sum + segments.length, 0)
  for (let [run] = runs; run && segmentCount > PLAYLIST_SEGMENTS; [run] = runs) {
    const segment = run.segments.shift()
    if (segment) {
      segmentCount -= 1
      run.removed = { seconds: run.removed.seconds + segment.seconds, segments: run.removed.segments + 1 }
      removed.segments += 1
      removedFiles.push(segment.uri)
    }
    if (run.segments.length > 0) continue
    if (runs.length === 1) break
    runs.shift()
    removed.runs += 1
    removedFiles.push(run.initUri)
  }
  return removedFiles
}

/** The playlist of all runs; each segment has its wall-clock time (EXT-X-PROGRAM-DATE-TIME). */
export function formatPlaylist(runs: readonly SegmentRun[], removedCounts: RemovedCounts): string {
  const targetDuration = Math.max(
    2,
    ...runs.flatMap(({ segments }) => segments.map(({ seconds }) => Math.round(seconds))),
  )
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${targetDuration}`,
    `#EXT-X-MEDIA-SEQUENCE:${removedCounts.segments}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${removedCounts.runs}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  for (const [index, { initUri, startedAt, segments, removed }] of runs
    .filter((run) => run.segments.length > 0)
    .entries()) {
    if (index > 0) lines.push('#EXT-X-DISCONTINUITY')
    lines.push(`#EXT-X-MAP:URI="${initUri}"`)
    let at = startedAt + removed.seconds * 1000
    for (const { uri, seconds } of segments) {
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`, `#EXTINF:${seconds.toFixed(6)},`, uri)
      at += seconds * 1000
    }
  }
  return `${lines.join('\n')}\n`
}
