/** Thumbnails of the whole video in one image, row by row, one every `interval` seconds. */
export interface Storyboard {
  interval: number
  columns: number
  rows: number
  count: number
  tileWidth: number
  tileHeight: number
}

const MAX_TILES = 100
const COLUMNS = 10
/** The longer side of a tile in pixels. */
const TILE_SIDE_PX = 160

/** At most a hundred tiles of 160 pixels, with an interval of at least a second. */
export function planStoryboard(seconds: number, { width, height }: { width: number; height: number }): Storyboard {
  const interval = Math.max(1, Math.ceil(seconds / MAX_TILES))
  const count = Math.max(1, Math.ceil(seconds / interval))
  const scale = Math.min(1, TILE_SIDE_PX / Math.max(width, height))
  const columns = Math.min(COLUMNS, count)
  return {
    interval,
    count,
    columns,
    rows: Math.ceil(count / columns),
    tileWidth: roundSide(width * scale),
    tileHeight: roundSide(height * scale),
  }
}

// Selected by the time of each frame; the fps filter would select the middle of each interval.
export const storyboardFilter = ({ interval, columns, rows, tileWidth, tileHeight }: Storyboard): string =>
  `select=gte(t\\,selected_n*${interval}),scale=${tileWidth}:${tileHeight},setsar=1,tile=${columns}x${rows}`

const roundSide = (length: number): number => Math.max(2, Math.round(length / 2) * 2)
