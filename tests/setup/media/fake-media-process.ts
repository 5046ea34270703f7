import type { MediaProcess } from '#lib/core/broadcast/media-process.ts'
import type { SfuRequest } from '#lib/core/broadcast/sfu/protocol.ts'

export interface FakeMediaProcess {
  /** The requests that the media process would have received. */
  requests: SfuRequest[]
  /** Runs before each request is answered. */
  beforeResponse: (requests: SfuRequest) => void
  isRunning: boolean
}

/** Replaces the media process by one that only records its requests. */
export function installFakeMediaProcess(): FakeMediaProcess {
  const fake: FakeMediaProcess = { requests: [], beforeResponse: () => {}, isRunning: true }
  const handleRequest = async (request: SfuRequest) => {
    fake.requests.push(request)
    fake.beforeResponse(request)
    if (request.op === 'publish' || request.op === 'play') return { resource: 'made', sdp: 'answer' }
    return { ended: request.op === 'endSession' ? true : 1 }
  }
  const plane: MediaProcess = {
    start: async () => {},
    request: async (request) => (await handleRequest(request)) as never,
    sendOutputCommand: async () => ({}),
    onStreamState: () => () => {},
    onOutputEvent: () => () => {},
    onCodecMissing: () => () => {},
    pid: () => (fake.isRunning ? 1 : null),
    port: () => 1,
    close: async () => {},
  }
  globalThis.kafedraMediaProcess = plane
  return fake
}
