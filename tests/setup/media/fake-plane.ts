import type { Plane } from '#lib/core/broadcast/plane.ts'
import type { Asked } from '#lib/core/broadcast/sfu/protocol.ts'

export interface FakePlane {
  /** What the child would have been asked. */
  asked: Asked[]
  /** Runs before each question is answered. */
  meanwhile: (asked: Asked) => void
  running: boolean
}

/** Puts a child in the place of the media plane's that does nothing but remember. */
export function fakePlane(): FakePlane {
  const fake: FakePlane = { asked: [], meanwhile: () => {}, running: true }
  const ask = async (asked: Asked) => {
    fake.asked.push(asked)
    fake.meanwhile(asked)
    if (asked.op === 'publish' || asked.op === 'play') return { resource: 'made', sdp: 'answer' }
    return { ended: asked.op === 'end' ? true : 1 }
  }
  const plane: Plane = {
    begin: async () => {},
    ask: async (asked) => (await ask(asked)) as never,
    order: async () => ({}),
    onStream: () => () => {},
    onNews: () => () => {},
    onCodecMissing: () => () => {},
    pid: () => (fake.running ? 1 : null),
    port: () => 1,
    close: async () => {},
  }
  globalThis.kafedraBroadcast = plane
  return fake
}
