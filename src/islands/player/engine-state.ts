export type Failure = 'network' | 'media' | 'gone'

export interface EngineState {
  /** Heights that may be chosen, the highest first; empty where the browser chooses itself. */
  heights: number[]
  /** Null lets the connection decide. */
  chosen: number | null
  /** What is playing. */
  now: number | null
  soundOnly: boolean
  failure: Failure | null
}
