import { vi } from 'vitest'
import { createAnswerRecording } from '#islands/homework/recording/answer-recording.ts'
import type { PartUploaderCalls } from '#islands/homework/recording/part-uploader.ts'
import type { RecordingOptions } from '#islands/homework/recording/recording-state.ts'

/** The recorder of a browser; tests determine when it delivers chunks. */
class FakeRecorder extends EventTarget {
  static all: FakeRecorder[] = []
  static isTypeSupported = (type: string) => type === 'video/webm' || type === 'audio/mp4'
  state: 'inactive' | 'recording' | 'paused' = 'inactive'
  readonly mimeType: string

  readonly stream: unknown
  readonly options: { mimeType?: string }

  constructor(stream: unknown, options: { mimeType?: string }) {
    super()
    this.stream = stream
    this.options = options
    this.mimeType = options.mimeType ?? ''
    FakeRecorder.all.push(this)
  }

  start() {
    this.state = 'recording'
  }

  pause() {
    this.state = 'paused'
  }

  resume() {
    this.state = 'recording'
  }

  stop() {
    this.state = 'inactive'
    queueMicrotask(() => this.dispatchEvent(new Event('stop')))
  }

  give(bytes: number) {
    const data = new Blob([new Uint8Array(bytes).fill(FakeRecorder.all.length)])
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data }))
  }
}

class FakeTrack extends EventTarget {
  readyState = 'live'
  readonly kind: 'audio' | 'video'

  constructor(kind: 'audio' | 'video') {
    super()
    this.kind = kind
  }

  stop() {
    this.readyState = 'ended'
  }
}

class FakeStream {
  readonly tracks: FakeTrack[]

  constructor(tracks: FakeTrack[]) {
    this.tracks = tracks
  }

  getTracks = () => this.tracks
  getVideoTracks = () => this.tracks.filter(({ kind }) => kind === 'video')
  getAudioTracks = () => this.tracks.filter(({ kind }) => kind === 'audio')
}

/** A browser with devices: those that it refuses and those that it has released. */
export function makeDevices() {
  const devices = {
    refuses: null as string | null,
    kinds: ['videoinput', 'audioinput'],
    given: [] as FakeStream[],
    requests: [] as MediaStreamConstraints[],
  }
  const getUserMedia = async (constraints: MediaStreamConstraints) => {
    devices.requests.push(constraints)
    if (devices.refuses) throw new DOMException('no', devices.refuses)
    const kinds = (['video', 'audio'] as const).filter((kind) => constraints[kind])
    const stream = new FakeStream(kinds.map((kind) => new FakeTrack(kind)))
    devices.given.push(stream)
    return stream
  }
  const enumerateDevices = async () => devices.kinds.map((kind) => ({ kind, deviceId: '' }))
  FakeRecorder.all = []
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices } })
  vi.stubGlobal('window', new EventTarget())
  return devices
}

/** A simulated server for uploads: what it received, and when it responds. */
function makeSchool() {
  const school = {
    size: 0,
    parts: new Map<number, Blob>(),
    begun: 0,
    removed: [] as string[],
    fails: null as Error | null,
  }
  const calls: PartUploaderCalls = {
    startUpload: async ({ size }) => {
      if (school.fails) throw school.fails
      school.begun += 1
      school.size = size
      return { uploadId: `upload ${school.begun}` }
    },
    extendUpload: async (_, size) => {
      school.size = size
    },
    sendPart: async ({ number, body }) => {
      school.parts.set(number, body)
    },
  }
  return { school, calls }
}

let tasks = 0
/** A recorded answer; the device's storage is in memory. */
export function makeAnswer(more: Partial<RecordingOptions> = {}) {
  const { school, calls } = makeSchool()
  const parts: RecordingOptions = {
    owner: 'member',
    taskId: `task ${++tasks}`,
    attempt: 1,
    maxBytes: 2 * 1024 ** 3,
    calls,
    createName: (source) => `Recording ${source}`,
    messageOf: (error) => (error instanceof Error ? error.message : ''),
    removeUpload: async (uploadId) => school.removed.push(uploadId),
    ...more,
  }
  const answer = createAnswerRecording(parts)
  return { school, parts, answer, state: () => answer.$state.get() }
}

export const lastRecorder = (): FakeRecorder => {
  const recorder = FakeRecorder.all.at(-1)
  if (!recorder) throw new Error('nothing was recorded')
  return recorder
}
