export type PlaybackFailure = 'network' | 'media' | 'gone'

export interface EngineState {
  /** Selectable heights, the highest first; empty where the browser selects the quality itself. */
  heights: number[]
  /** Null: selected automatically by the connection. */
  chosenHeight: number | null
  /** The height that is playing. */
  currentHeight: number | null
  isAudioOnly: boolean
  failure: PlaybackFailure | null
}
