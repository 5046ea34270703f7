/** The properties of a stream that a player needs before it is opened. */
export interface StreamFacts {
  /** Maximum and average bit rate in bits per second. */
  bandwidth: number
  average: number
  codecs: string
}

export interface Rendition extends StreamFacts {
  /** The shorter side in pixels, as in 720p; also the name of its folder. */
  size: number
  height: number
  width: number
  ready: boolean
}

/** Thumbnails of the whole video in one image: `columns` × `rows` tiles, one every `interval` seconds. */
export interface PlayerStoryboard {
  interval: number
  columns: number
  rows: number
  count: number
  tileWidth: number
  tileHeight: number
}
