import { rm } from 'node:fs/promises'
import path from 'node:path'
import { hasLocalSpace } from '../../files/disk-space.ts'
import { findEncoder } from '../../media/encoder.ts'
import { MINUTE_MS } from '../../shared/time.ts'
import { isCompanion } from '../companion.ts'
import type { PacketSource, SubscribeToPublishers } from '../frames/packet-source.ts'
import { type HlsOutput, startHls } from '../hls/hls.ts'
import type { OutputCommand, OutputEvent, StreamOutputs } from '../output-protocol.ts'
import { recordStream, type StreamRecorder } from '../recording/recorder.ts'
import { listRecordingRequests } from '../recording/recording-requests.ts'

/** Free bytes that recordings leave beyond the disk reserve, for bytes that are written until the next check. */
const DISK_MARGIN_BYTES = 64 * 1024 ** 2

/** Reports whether the disk has space for recordings. */
interface RecordingDisk {
  hasSpace(): Promise<boolean>
  checkIntervalMs: number
}

const LOCAL_DISK: RecordingDisk = { hasSpace: () => hasLocalSpace(DISK_MARGIN_BYTES), checkIntervalMs: 5000 }

/** Time after the last request for a playlist until HLS output stops. */
const HLS_IDLE_MS = MINUTE_MS

interface RecordingRequest {
  room: string
  /** Null: every stream of the room. */
  stream: string | null
  directory: string
}

interface StreamOutput {
  room: string
  stream: string
  source: PacketSource | null
  recorder: StreamRecorder | null
  hls: HlsOutput | null
  idleTimer: NodeJS.Timeout | null
}

/**
 * Recording and HLS output of the publishers of the media process. Recording requests are also stored on disk, and a
 * restarted media process resumes them. Recordings stop before they use the disk reserve and resume when there is space
 * again; an event for every recorded room reports both.
 */
export function startStreamOutputs(
  onPublisher: SubscribeToPublishers,
  emit: (event: OutputEvent) => void,
  disk = LOCAL_DISK,
): StreamOutputs {
  const outputs = new Map<string, StreamOutput>()
  const recordingRequests: RecordingRequest[] = []
  const pendingStops = new Set<Promise<unknown>>()
  /** Directories that are being removed: the next HLS output in the same directory waits for it. */
  const pendingRemovals = new Map<string, Promise<void>>()
  let isDiskFull = false
  const diskTimer = setInterval(() => void checkDisk(), disk.checkIntervalMs)
  diskTimer.unref()
  const stopListening = onPublisher(addPublisher)
  const restored = listRecordingRequests().then((saved) => {
    for (const request of saved) addRequest(request)
  })

  function addPublisher(room: string, stream: string, source: PacketSource): void {
    const output = findOrCreateOutput(room, stream)
    stopRecorder(output)
    output.source = source
    output.hls?.attachSource(source)
    source.onEnd(() => {
      if (output.source !== source) return
      output.source = null
      output.hls?.attachSource(null)
      stopRecorder(output)
      removeIfUnused(output)
    })
    startRecorder(output)
  }

  async function checkDisk(): Promise<void> {
    // A failing check must not stop recordings.
    const hasFilled = recordingRequests.length > 0 && !(await disk.hasSpace().catch(() => true))
    if (hasFilled === isDiskFull) return
    isDiskFull = hasFilled
    for (const output of outputs.values()) {
      if (hasFilled) stopRecorder(output)
      else startRecorder(output)
    }
    for (const request of recordingRequests) emitDiskState(request)
  }

  function emitDiskState({ room, stream }: RecordingRequest): void {
    emit({ output: 'record', room, stream: stream ?? '', type: isDiskFull ? 'diskFull' : 'diskFree' })
  }

  function addRequest(request: RecordingRequest): void {
    const isNew = !recordingRequests.some((existing) => isSameRequest(existing, request))
    if (isNew) recordingRequests.push(request)
    if (isNew && isDiskFull) emitDiskState(request)
    for (const output of outputs.values()) startRecorder(output)
  }

  function removeRequest(room: string, stream: string | null): void {
    const remaining = recordingRequests.filter(
      (request) => request.room !== room || (stream !== null && request.stream !== stream),
    )
    recordingRequests.splice(0, recordingRequests.length, ...remaining)
    for (const output of outputs.values()) if (!findRequest(output)) stopRecorder(output)
  }

  function findRequest({ room, stream }: StreamOutput): RecordingRequest | undefined {
    return recordingRequests.find(
      (request) => request.room === room && (request.stream === null || request.stream === stream),
    )
  }

  function startRecorder(output: StreamOutput): void {
    const request = findRequest(output)
    // A companion has the same video in another codec and is not recorded.
    if (!request || isDiskFull || !output.source || output.recorder || isCompanion(output.stream)) return
    const { room, stream } = output
    const onError = (error: Error) => emit({ output: 'record', room, stream, type: 'failed', message: error.message })
    output.recorder = recordStream(
      output.source,
      path.join(request.directory, stream),
      onError,
      Promise.all(pendingStops),
    )
    emit({ output: 'record', room, stream, type: 'began' })
  }

  function stopRecorder(output: StreamOutput): void {
    const { room, stream, recorder } = output
    const onError = (error: unknown) =>
      emit({ output: 'record', room, stream, type: 'failed', message: messageOf(error) })
    if (recorder) trackStop(recorder.stop(), onError)
    output.recorder = null
  }

  function trackStop(stopped: Promise<unknown>, onError: (error: unknown) => void): Promise<void> {
    const done: Promise<void> = stopped.then(() => {}, onError).finally(() => pendingStops.delete(done))
    pendingStops.add(done)
    return done
  }

  function findOrCreateOutput(room: string, stream: string): StreamOutput {
    const key = `${room}/${stream}`
    const existing = outputs.get(key) ?? { room, stream, source: null, recorder: null, hls: null, idleTimer: null }
    outputs.set(key, existing)
    return existing
  }

  function removeIfUnused(output: StreamOutput): void {
    if (!output.source && !output.hls) outputs.delete(`${output.room}/${output.stream}`)
  }

  async function requestHls(room: string, stream: string, directory: string): Promise<Record<string, unknown>> {
    const hasEncoder = (await findEncoder()) !== null
    const existing = outputs.get(`${room}/${stream}`)
    if (!hasEncoder || (!existing?.source && !existing?.hls)) return { running: false }
    const onError = (message: string) => emit({ output: 'hls', room, stream, type: 'failed', message })
    existing.hls ??= startHls(directory, existing.source, onError, pendingRemovals.get(directory))
    clearTimeout(existing.idleTimer ?? undefined)
    existing.idleTimer = setTimeout(() => stopHls(existing), HLS_IDLE_MS)
    existing.idleTimer.unref()
    return { running: true }
  }

  function stopHls(output: StreamOutput): void {
    clearTimeout(output.idleTimer ?? undefined)
    const { hls } = output
    output.hls = null
    if (hls) pendingRemovals.set(hls.directory, removeHls(output, hls))
    removeIfUnused(output)
  }

  function removeHls({ room, stream }: StreamOutput, { directory, stop }: HlsOutput): Promise<void> {
    const onError = (error: unknown) => emit({ output: 'hls', room, stream, type: 'failed', message: messageOf(error) })
    const done: Promise<void> = trackStop(
      stop().then(() => rm(directory, { recursive: true, force: true })),
      onError,
    ).finally(() => pendingRemovals.get(directory) === done && pendingRemovals.delete(directory))
    return done
  }

  return {
    async execute(command: OutputCommand) {
      await restored
      switch (command.op) {
        case 'record':
          addRequest(command)
          await checkDisk()
          return {}
        case 'recordEnd':
          removeRequest(command.room, command.stream)
          await Promise.all(pendingStops)
          return {}
        case 'hls':
          return requestHls(command.room, command.stream, command.directory)
        case 'hlsEnd': {
          const output = outputs.get(`${command.room}/${command.stream}`)
          if (output) stopHls(output)
          return {}
        }
      }
    },
    async close() {
      clearInterval(diskTimer)
      stopListening()
      for (const output of outputs.values()) {
        stopRecorder(output)
        stopHls(output)
      }
      await Promise.all(pendingStops)
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const isSameRequest = (first: RecordingRequest, other: RecordingRequest): boolean =>
  first.room === other.room && first.stream === other.stream
