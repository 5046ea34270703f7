import { atom } from 'nanostores'
import type { Publisher } from '#islands/broadcast/publisher.ts'
import { tabStorage } from '#islands/stores/safe-storage.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'
import { $room, $state, roomApi } from '../room.ts'
import { showError } from '../stage/show-error.ts'
import { forgetMedia, onCodecWanted, publishAt } from './room-media.ts'

type Kind = Exclude<LiveStream['kind'], 'encoder'>

/** What I send, as soon as I have wanted to; null before. */
export const $publishers = atom<Record<Kind, Publisher | null>>({ camera: null, screen: null })

const preparing = new Map<Kind, Promise<Publisher>>()

/** The publisher of my camera or my screen. It sends nothing before its `start`. */
export function prepare(kind: Kind): Promise<Publisher> {
  const known = preparing.get(kind) ?? make(kind)
  preparing.set(kind, known)
  known.catch(() => preparing.delete(kind))
  return known
}

async function make(kind: Kind): Promise<Publisher> {
  const { createPublisher } = await import('#islands/broadcast/publisher.ts')
  const way = publishAt(kind)
  if (!way) throw new Error('not on the stage')
  const publisher = createPublisher({ kind, key: keyOf(kind), ...way })
  $publishers.set({ ...$publishers.get(), [kind]: publisher })
  follow(kind, publisher)
  return publisher
}

const keyOf = (kind: Kind): string => `meeting.${$room.get()?.sessionId}.${kind}`

/** Goes on air again where a reload has interrupted it, with the microphone and the camera as they were. */
export async function resume(): Promise<void> {
  const { wasLive } = await import('#islands/broadcast/on-air.ts')
  for (const kind of KINDS) {
    if (!wasLive(keyOf(kind))) continue
    // No device is switched on that is not known to have been on.
    const known = kind === 'screen'
    const { microphone = known, camera = known } = JSON.parse(tabStorage.getItem(`${keyOf(kind)}.on`) ?? '{}')
    void prepare(kind).then((publisher) => publisher.start({ mic: microphone, camera }))
  }
}

const KINDS = ['camera', 'screen'] as const

/** Begins to send with these on, or switches them when it is sending. */
export async function send(what: { mic?: boolean; camera?: boolean }): Promise<void> {
  try {
    const publisher = await prepare('camera')
    if (isSending(publisher)) {
      if (what.mic !== undefined) publisher.setMic(what.mic)
      if (what.camera !== undefined) await publisher.setCamera(what.camera)
    } else await publisher.start({ mic: what.mic ?? false, camera: what.camera ?? false })
  } catch (error) {
    showError(error)
  }
}

export async function switchScreen(): Promise<void> {
  const publisher = await prepare('screen')
  if (isSending(publisher)) return publisher.stop()
  await publisher.start()
}

/** Another camera, also in the middle of sending. */
export const takeCamera = ({ useCamera: take }: Publisher, id: string): Promise<void> => take(id).catch(showError)

/** Another microphone, also in the middle of sending. */
export const takeMicrophone = ({ useMicrophone: take }: Publisher, id: string): Promise<void> =>
  take(id).catch(showError)

/** Ends whatever I send. */
export function leaveAir(): void {
  for (const publisher of Object.values($publishers.get())) publisher?.stop()
}

export const isSending = (publisher: Publisher | null): boolean =>
  publisher !== null && SENDING.has(publisher.$state.get().is)

const SENDING = new Set(['starting', 'live', 'reconnecting'])

/**
 * Says in the room what is on air: from when it really is, with microphone and camera as they are. Whoever is taken from
 * the air by somebody else, or by the end of the event, sends no more.
 */
function follow(kind: Kind, publisher: Publisher): void {
  let told = ''
  let seen = false
  const tell = () => {
    const { is } = publisher.$state.get()
    if (is === 'failed') forgetMedia()
    if (is === 'live') {
      const now = { microphone: publisher.$micOn.get(), camera: kind === 'screen' || publisher.$cameraOn.get() }
      if (told === JSON.stringify(now)) return
      told = JSON.stringify(now)
      tabStorage.setItem(`${keyOf(kind)}.on`, told)
      void roomApi.goOnAir({ kind, ...now }).catch(showError)
    } else if (is === 'reconnecting') {
      told = told && AGAIN
      seen = false
    } else if (told && is !== 'starting') {
      told = ''
      seen = false
      void roomApi.goOffAir({ kind }).catch(() => undefined)
    }
  }
  publisher.$state.subscribe(tell)
  onCodecWanted((wanted) => wanted === kind && publisher.addCompanion())
  publisher.$micOn.listen(tell)
  publisher.$cameraOn.listen(tell)
  $state.listen((state) => {
    if (!state) return
    const there = state.onAir.some((one) => one.kind === kind && one.personId === $room.get()?.me.personId)
    if ((seen && !there) || state.phase === 'finished') {
      publisher.stop()
      // A ticket from before one was taken off opens nothing; whoever may begin again needs another.
      forgetMedia()
    }
    seen = there
  })
}

const AGAIN = 'again'
