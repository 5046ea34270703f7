/** Small pictures of the whole length in one image, row by row, one each `interval` seconds. */
export interface Storyboard {
  interval: number
  columns: number
  rows: number
  count: number
  tileWidth: number
  tileHeight: number
}

const MOST_TILES = 100
const COLUMNS = 10
/** The longer side of a tile in pixels. */
const TILE = 160

/** At most a hundred tiles of 160 pixels, at least a second apart. */
export function planStoryboard(seconds: number, { width, height }: { width: number; height: number }): Storyboard {
  const interval = Math.max(1, Math.ceil(seconds / MOST_TILES))
  const count = Math.max(1, Math.ceil(seconds / interval))
  const scale = Math.min(1, TILE / Math.max(width, height))
  const columns = Math.min(COLUMNS, count)
  return {
    interval,
    count,
    columns,
    rows: Math.ceil(count / columns),
    tileWidth: side(width * scale),
    tileHeight: side(height * scale),
  }
}

// Frame by frame against the clock and not by fps, which would show the middle of each interval.
export const storyboardFilter = ({ interval, columns, rows, tileWidth, tileHeight }: Storyboard): string =>
  `select=gte(t\\,selected_n*${interval}),scale=${tileWidth}:${tileHeight},setsar=1,tile=${columns}x${rows}`

const side = (length: number): number => Math.max(2, Math.round(length / 2) * 2)
