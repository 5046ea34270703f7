import type { MediaView } from '#lib/meeting/room-schema.ts'

/*
 * The way to the media plane of the room that this tab is in: kept while it is good, asked for anew when it is not.
 */

type PublishedKind = 'camera' | 'screen'

interface MediaLoader {
  loadMedia(): Promise<MediaView>
  /** The server's clock, in milliseconds since 1970. */
  now(): number
  /** How many viewers are in the room. */
  countViewers(): number
}

let source: MediaLoader | null = null
let media: MediaView | null = null
/** Several streams ask at the same time: one request serves all of them. */
let renewing: Promise<MediaView> | null = null
const codecListeners = new Set<(kind: PublishedKind) => void>()

/** Whom to ask from now on. */
export function setMediaLoader(next: MediaLoader): void {
  source = next
}

/** Takes the way that came with the room. */
export function setMedia(view: MediaView): void {
  media = view
}

/** What createWatcher wants for a stream. */
export function getSubscriberOptions(stream: string) {
  const { play, iceServers } = media ?? NO_MEDIA
  return {
    endpoint: play.endpoint.replace('{stream}', stream),
    hls: async () => {
      const { hls } = (await getPlayableMedia()).play
      return hls && `${hls}${stream}/`
    },
    ticket: async () => (await getPlayableMedia()).play.ticket ?? refuseToPlay(),
    ice: iceServers,
  }
}

/** What createPublisher wants for one's own camera or screen; null for who may not publish. */
export function getPublisherOptions(kind: PublishedKind) {
  const access = media?.publish?.[kind]
  if (!access) return null
  return {
    endpoint: access.endpoint,
    ticket: async () => (await getValidMedia()).publish?.[kind].ticket ?? access.ticket,
    companion: {
      endpoint: access.companion.endpoint,
      ticket: async () => (await getValidMedia()).publish?.[kind].companion.ticket ?? access.companion.ticket,
    },
    ice: media?.iceServers ?? [],
  }
}

/** The way in hand is of no use any more: the next who needs one asks anew. */
export function expireMedia(): void {
  if (media) media = { ...media, expiresAt: 0 }
}

/** Asks for the way to the media plane anew, e.g. after coming onto the stage. */
export async function renewMedia(): Promise<MediaView> {
  if (!source) throw new Error('in no room')
  media = await source.loadMedia()
  return media
}

/** Calls `listener` when a viewer needs one of my streams in VP8; gives the way to stop. */
export function onCodecRequest(listener: (kind: PublishedKind) => void): () => void {
  codecListeners.add(listener)
  return () => void codecListeners.delete(listener)
}

export function requestCodec(kind: PublishedKind): void {
  for (const listener of codecListeners) listener(kind)
}

const NO_MEDIA: Pick<MediaView, 'play' | 'iceServers'> = {
  play: { endpoint: '', ticket: null, hls: null },
  iceServers: [],
}
const RENEW_MARGIN_MS = 60_000

async function getValidMedia(): Promise<MediaView> {
  if (media && source && media.expiresAt - source.now() > RENEW_MARGIN_MS) return media
  renewing ??= renewMedia().finally(() => {
    renewing = null
  })
  return renewing
}

/** Ms per viewer over which the requests of a waiting crowd are spread when the event begins, and at most. */
const SPREAD = { each: 2, most: 3000 }

// Before the start viewers are given no way to play.
async function getPlayableMedia(): Promise<MediaView> {
  if (media && source && media.play.ticket === null) {
    expireMedia()
    const maxDelayMs = Math.min(SPREAD.most, source.countViewers() * SPREAD.each)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * maxDelayMs))
  }
  return getValidMedia()
}

/** A refusal that the watcher takes as a stream that is still to come. */
function refuseToPlay(): never {
  throw Object.assign(new Error('the event has not begun'), { status: 404 })
}
