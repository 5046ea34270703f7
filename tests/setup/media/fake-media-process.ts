import type { MediaProcess } from '#lib/core/broadcast/media-process.ts'
import type { SfuRequest } from '#lib/core/broadcast/sfu/protocol.ts'

export interface FakePlane {
  /** What the child would have been asked. */
  asked: SfuRequest[]
  /** Runs before each question is answered. */
  meanwhile: (asked: SfuRequest) => void
  running: boolean
}

/** Puts a child in the place of the media plane's that does nothing but remember. */
export function fakePlane(): FakePlane {
  const fake: FakePlane = { asked: [], meanwhile: () => {}, running: true }
  const ask = async (asked: SfuRequest) => {
    fake.asked.push(asked)
    fake.meanwhile(asked)
    if (asked.op === 'publish' || asked.op === 'play') return { resource: 'made', sdp: 'answer' }
    return { ended: asked.op === 'end' ? true : 1 }
  }
  const plane: MediaProcess = {
    startChild: async () => {},
    request: async (asked) => (await ask(asked)) as never,
    sendOutputCommand: async () => ({}),
    onStreamState: () => () => {},
    onOutputEvent: () => () => {},
    onCodecMissing: () => () => {},
    pid: () => (fake.running ? 1 : null),
    port: () => 1,
    close: async () => {},
  }
  globalThis.kafedraMediaProcess = plane
  return fake
}
