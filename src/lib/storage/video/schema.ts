/** What a player is told of a stream before it opens it. */
export interface StreamFacts {
  /** Bits a second at most, and in the mean. */
  bandwidth: number
  average: number
  codecs: string
}

export interface Rendition extends StreamFacts {
  /** The shorter side, what people call 720p; also the name of its folder. */
  size: number
  height: number
  width: number
  ready: boolean
}

/** Pictures of the whole length in one image: `columns` × `rows` tiles, one each `interval` seconds. */
export interface Storyboard {
  interval: number
  columns: number
  rows: number
  count: number
  tileWidth: number
  tileHeight: number
}
