import type { MediaProcess } from '#lib/core/broadcast/media-process.ts'
import type { SfuRequest } from '#lib/core/broadcast/sfu/protocol.ts'

export interface FakeMediaProcess {
  /** What the child would have been asked. */
  requests: SfuRequest[]
  /** Runs before each question is answered. */
  beforeResponse: (requests: SfuRequest) => void
  isRunning: boolean
}

/** Puts a child in the place of the media plane's that does nothing but remember. */
export function installFakeMediaProcess(): FakeMediaProcess {
  const fake: FakeMediaProcess = { requests: [], beforeResponse: () => {}, isRunning: true }
  const ask = async (request: SfuRequest) => {
    fake.requests.push(request)
    fake.beforeResponse(request)
    if (request.op === 'publish' || request.op === 'play') return { resource: 'made', sdp: 'answer' }
    return { ended: request.op === 'endSession' ? true : 1 }
  }
  const plane: MediaProcess = {
    start: async () => {},
    request: async (request) => (await ask(request)) as never,
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
