import { MINUTE_MS } from '#lib/core/shared/time.ts'
import type { RoomMediaView } from '#lib/meeting/room-schema.ts'

/*
 * Endpoints and stream tokens of the SFU for the room of this tab: kept while valid, then loaded again.
 */

type PublishedKind = 'camera' | 'screen'

interface MediaLoader {
  loadMedia(): Promise<RoomMediaView>
  /** The server's clock, in milliseconds since 1970. */
  now(): number
  /** Number of viewers in the room. */
  countViewers(): number
}

let source: MediaLoader | null = null
let media: RoomMediaView | null = null
/** The request in progress, shared by all streams. */
let renewing: Promise<RoomMediaView> | null = null
const codecListeners = new Set<(kind: PublishedKind) => void>()

/** Sets how media access is loaded. */
export function setMediaLoader(next: MediaLoader): void {
  source = next
}

/** Sets the media access contained in the room's view. */
export function setMedia(view: RoomMediaView): void {
  media = view
}

/** Returns the options of a subscriber for a stream. */
export function getSubscriberOptions(stream: string) {
  const { play, iceServers } = media ?? NO_MEDIA
  return {
    endpoint: play.endpoint.replace('{stream}', stream),
    hlsUrl: async () => {
      const { hls } = (await getPlayableMedia()).play
      return hls && `${hls}${stream}/`
    },
    token: async () => (await getPlayableMedia()).play.token ?? refuseToPlay(),
    iceServers,
  }
}

/** Returns the options of a publisher for the own camera or screen; null without permission to publish. */
export function getPublisherOptions(kind: PublishedKind) {
  const access = media?.publish?.[kind]
  if (!access) return null
  return {
    endpoint: access.endpoint,
    token: async () => (await getValidMedia()).publish?.[kind].token ?? access.token,
    companion: {
      endpoint: access.companion.endpoint,
      token: async () => (await getValidMedia()).publish?.[kind].companion.token ?? access.companion.token,
    },
    iceServers: media?.iceServers ?? [],
  }
}

/** Marks the media access as expired, so that the next use loads it again. */
export function expireMedia(): void {
  if (media) media = { ...media, expiresAt: 0 }
}

/** Loads the media access again, e.g. after entering the stage. */
export async function renewMedia(): Promise<RoomMediaView> {
  if (!source) throw new Error('in no room')
  media = await source.loadMedia()
  return media
}

/** Calls `listener` when a viewer needs an own stream in VP8. Returns a function that unsubscribes. */
export function onCodecRequest(listener: (kind: PublishedKind) => void): () => void {
  codecListeners.add(listener)
  return () => void codecListeners.delete(listener)
}

export function requestCodec(kind: PublishedKind): void {
  for (const listener of codecListeners) listener(kind)
}

const NO_MEDIA: Pick<RoomMediaView, 'play' | 'iceServers'> = {
  play: { endpoint: '', token: null, hls: null },
  iceServers: [],
}
const RENEW_MARGIN_MS = MINUTE_MS

async function getValidMedia(): Promise<RoomMediaView> {
  if (media && source && media.expiresAt - source.now() > RENEW_MARGIN_MS) return media
  renewing ??= renewMedia().finally(() => {
    renewing = null
  })
  return renewing
}

/** Requests at the start of the event are spread over these milliseconds per viewer, up to the maximum. */
const SPREAD = { each: 2, most: 3000 }

/** Waits a random time, so that the requests of all viewers at the start of the event are spread. */
export function spreadRequests(viewerCount: number): Promise<void> {
  const maxDelayMs = Math.min(SPREAD.most, viewerCount * SPREAD.each)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * maxDelayMs))
}

// Before the start viewers get no stream token.
async function getPlayableMedia(): Promise<RoomMediaView> {
  if (media && source && media.play.token === null) {
    expireMedia()
    await spreadRequests(source.countViewers())
  }
  return getValidMedia()
}

/** Throws the error that the subscriber treats as a stream that does not exist yet. */
function refuseToPlay(): never {
  throw Object.assign(new Error('the event has not begun'), { status: 404 })
}
