import type { MediaView } from '#lib/meeting/room-schema.ts'

/*
 * The way to the media plane of the room that this tab is in: kept while it is good, asked for anew when it is not.
 */

type Kind = 'camera' | 'screen'

interface Source {
  ask(): Promise<MediaView>
  /** The server's clock, in milliseconds since 1970. */
  now(): number
  /** How many viewers are in the room. */
  viewers(): number
}

let source: Source | null = null
let media: MediaView | null = null
/** Several streams ask at the same time: one request serves all of them. */
let renewing: Promise<MediaView> | null = null
const codecListeners = new Set<(kind: Kind) => void>()

/** Whom to ask from now on. */
export function askMediaOf(next: Source): void {
  source = next
}

/** Takes the way that came with the room. */
export function takeMedia(view: MediaView): void {
  media = view
}

/** What createWatcher wants for a stream. */
export function playAt(stream: string) {
  const { play, iceServers } = media ?? NO_MEDIA
  return {
    endpoint: play.endpoint.replace('{stream}', stream),
    hls: async () => {
      const { hls } = (await playableMedia()).play
      return hls && `${hls}${stream}/`
    },
    ticket: async () => (await playableMedia()).play.ticket ?? refuseToPlay(),
    ice: iceServers,
  }
}

/** What createPublisher wants for one's own camera or screen; null for who may not publish. */
export function publishAt(kind: Kind) {
  const way = media?.publish?.[kind]
  if (!way) return null
  return {
    endpoint: way.endpoint,
    ticket: async () => (await freshMedia()).publish?.[kind].ticket ?? way.ticket,
    companion: {
      endpoint: way.companion.endpoint,
      ticket: async () => (await freshMedia()).publish?.[kind].companion.ticket ?? way.companion.ticket,
    },
    ice: media?.iceServers ?? [],
  }
}

/** The way in hand is of no use any more: the next who needs one asks anew. */
export function forgetMedia(): void {
  if (media) media = { ...media, expiresAt: 0 }
}

/** Asks for the way to the media plane anew, e.g. after coming onto the stage. */
export async function renewMedia(): Promise<MediaView> {
  if (!source) throw new Error('in no room')
  media = await source.ask()
  return media
}

/** Calls `listener` when a viewer needs one of my streams in VP8; gives the way to stop. */
export function onCodecWanted(listener: (kind: Kind) => void): () => void {
  codecListeners.add(listener)
  return () => void codecListeners.delete(listener)
}

export function wantCodec(kind: Kind): void {
  for (const listener of codecListeners) listener(kind)
}

const NO_MEDIA: Pick<MediaView, 'play' | 'iceServers'> = {
  play: { endpoint: '', ticket: null, hls: null },
  iceServers: [],
}
const RENEW_MS = 60_000

async function freshMedia(): Promise<MediaView> {
  if (media && source && media.expiresAt - source.now() > RENEW_MS) return media
  renewing ??= renewMedia().finally(() => {
    renewing = null
  })
  return renewing
}

/** Ms per viewer over which the requests of a waiting crowd are spread when the event begins, and at most. */
const SPREAD = { each: 2, most: 3000 }

// Before the start viewers are given no way to play.
async function playableMedia(): Promise<MediaView> {
  if (media && source && media.play.ticket === null) {
    forgetMedia()
    const most = Math.min(SPREAD.most, source.viewers() * SPREAD.each)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * most))
  }
  return freshMedia()
}

/** A refusal that the watcher takes as a stream that is still to come. */
function refuseToPlay(): never {
  throw Object.assign(new Error('the event has not begun'), { status: 404 })
}
