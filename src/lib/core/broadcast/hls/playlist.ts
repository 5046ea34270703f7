/* Playlists of HLS (RFC 8216): ffmpeg writes one for each of its runs, viewers get one that leads through all of them. */

export interface Piece {
  /** From 0 within its run. */
  n: number
  uri: string
  seconds: number
}

/** Pieces of a playlist that ffmpeg wrote. */
export function readPieces(text: string): Piece[] {
  let n = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)/m.exec(text)?.[1] ?? 0)
  const found: Piece[] = []
  let seconds: number | null = null
  for (const line of text.split('\n')) {
    const length = /^#EXTINF:([\d.]+),/.exec(line)?.[1]
    if (length !== undefined) seconds = Number(length)
    const uri = /^[^#\s]\S*/.exec(line)?.[0]
    if (uri === undefined || seconds === null) continue
    found.push({ n, uri, seconds })
    seconds = null
    n += 1
  }
  return found
}

/** One run of ffmpeg as its pieces are known so far. */
export interface Run {
  map: string
  /** Wall clock of its beginning, ms since 1970. */
  from: number
  pieces: Piece[]
  /** Seconds and number of pieces before the first of `pieces`. */
  gone: { seconds: number; pieces: number }
}

export const newRun = (map: string, from: number): Run => ({ map, from, pieces: [], gone: { seconds: 0, pieces: 0 } })

/** Adds what a run's playlist shows now and is new. */
export function addPieces(run: Run, shown: readonly Piece[]): boolean {
  const next = run.gone.pieces + run.pieces.length
  const fresh = shown.filter(({ n }) => n >= next)
  run.pieces.push(...fresh)
  return fresh.length > 0
}

/** Pieces that a viewer is shown: enough to begin three behind the newest and to stumble. */
const SHOWN = 8

/** What ran before the runs that are given. */
export interface Past {
  pieces: number
  runs: number
}

/** Forgets what viewers are not shown any more: gives the names of files that nobody needs. */
export function forgetOld(runs: Run[], past: Past): string[] {
  const dropped: string[] = []
  let many = runs.reduce((sum, { pieces }) => sum + pieces.length, 0)
  for (let [run] = runs; run && many > SHOWN; [run] = runs) {
    const piece = run.pieces.shift()
    if (piece) {
      many -= 1
      run.gone = { seconds: run.gone.seconds + piece.seconds, pieces: run.gone.pieces + 1 }
      past.pieces += 1
      dropped.push(piece.uri)
    }
    if (run.pieces.length > 0) continue
    if (runs.length === 1) break
    runs.shift()
    past.runs += 1
    dropped.push(run.map)
  }
  return dropped
}

/** The playlist that leads through the runs; each piece says when it was (EXT-X-PROGRAM-DATE-TIME). */
export function writePlaylist(runs: readonly Run[], past: Past): string {
  const longest = Math.max(2, ...runs.flatMap(({ pieces }) => pieces.map(({ seconds }) => Math.round(seconds))))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${longest}`,
    `#EXT-X-MEDIA-SEQUENCE:${past.pieces}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${past.runs}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  for (const [index, { map, from, pieces, gone }] of runs.filter((run) => run.pieces.length > 0).entries()) {
    if (index > 0) lines.push('#EXT-X-DISCONTINUITY')
    lines.push(`#EXT-X-MAP:URI="${map}"`)
    let at = from + gone.seconds * 1000
    for (const { uri, seconds } of pieces) {
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(at).toISOString()}`, `#EXTINF:${seconds.toFixed(6)},`, uri)
      at += seconds * 1000
    }
  }
  return `${lines.join('\n')}\n`
}
