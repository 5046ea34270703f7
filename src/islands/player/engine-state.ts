export type PlaybackFailure = 'network' | 'media' | 'gone'

export interface EngineState {
  /** Heights that may be chosen, the highest first; empty where the browser chooses itself. */
  heights: number[]
  /** Null lets the connection decide. */
  chosenHeight: number | null
  /** What is playing. */
  currentHeight: number | null
  isAudioOnly: boolean
  failure: PlaybackFailure | null
}
