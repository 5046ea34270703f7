/* Commands to the recording and HLS outputs of the media process, and the events that they report. */

/** A null stream means every stream of the room. Directories are absolute. */
export type OutputCommand =
  | { op: 'record'; room: string; stream: string | null; directory: string; since: number }
  | { op: 'recordEnd'; room: string; stream: string | null }
  | { op: 'hls'; room: string; stream: string; directory: string }
  | { op: 'hlsEnd'; room: string; stream: string }

/** Plain data, sent over IPC. */
export interface OutputEvent {
  output: 'record' | 'hls'
  room: string
  stream: string
  type: string
  [detail: string]: unknown
}

export interface StreamOutputs {
  /** Executes a command; returns plain data. Commands are repeated after a restart of the media process. */
  execute(command: OutputCommand): Promise<Record<string, unknown>>
  /** Ends every output so that its files are complete. */
  close(): Promise<void>
}
