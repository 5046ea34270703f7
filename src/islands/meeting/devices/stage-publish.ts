import { atom } from 'nanostores'
import type { WhipPublisher } from '#islands/broadcast/publisher.ts'
import { tabStorage } from '#islands/stores/safe-storage.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'
import { $room, $state, roomApi } from '../room.ts'
import { showError } from '../stage/show-error.ts'
import { expireMedia, getPublisherOptions, onCodecRequest } from './room-media.ts'

type PublishedKind = Exclude<LiveStream['kind'], 'encoder'>

/** The own publishers; null until they are first used. */
export const $publishers = atom<Record<PublishedKind, WhipPublisher | null>>({ camera: null, screen: null })

const preparing = new Map<PublishedKind, Promise<WhipPublisher>>()

/** Returns the publisher of the own camera or screen. It sends nothing before its `start`. */
export function preparePublisher(kind: PublishedKind): Promise<WhipPublisher> {
  const known = preparing.get(kind) ?? createStagePublisher(kind)
  preparing.set(kind, known)
  known.catch(() => preparing.delete(kind))
  return known
}

async function createStagePublisher(kind: PublishedKind): Promise<WhipPublisher> {
  const { createPublisher } = await import('#islands/broadcast/publisher.ts')
  const options = getPublisherOptions(kind)
  if (!options) throw new Error('not on the stage')
  const publisher = createPublisher({ kind, key: storageKeyOf(kind), ...options })
  $publishers.set({ ...$publishers.get(), [kind]: publisher })
  reportOnAir(kind, publisher)
  return publisher
}

const storageKeyOf = (kind: PublishedKind): string => `meeting.${$room.get()?.sessionId}.${kind}`

/** Publishes again after a reload, with microphone and camera in their previous state. */
export async function resumePublishing(): Promise<void> {
  const { wasPublishing: wasLive } = await import('#islands/broadcast/publishing-marker.ts')
  for (const kind of KINDS) {
    if (!wasLive(storageKeyOf(kind))) continue
    // Only devices that are known to have been on are switched on.
    const defaultOn = kind === 'screen'
    const { microphone = defaultOn, camera = defaultOn } = JSON.parse(
      tabStorage.getItem(`${storageKeyOf(kind)}.on`) ?? '{}',
    )
    void preparePublisher(kind).then((publisher) => publisher.start({ mic: microphone, camera }))
  }
}

const KINDS = ['camera', 'screen'] as const

/** Starts publishing with these devices on, or switches them while publishing. */
export async function switchDevices(devices: { mic?: boolean; camera?: boolean }): Promise<void> {
  try {
    const publisher = await preparePublisher('camera')
    if (isPublishing(publisher)) {
      if (devices.mic !== undefined) publisher.setMic(devices.mic)
      if (devices.camera !== undefined) await publisher.setCamera(devices.camera)
    } else await publisher.start({ mic: devices.mic ?? false, camera: devices.camera ?? false })
  } catch (error) {
    showError(error)
  }
}

export async function toggleScreen(): Promise<void> {
  const publisher = await preparePublisher('screen')
  if (isPublishing(publisher)) return publisher.stop()
  await publisher.start()
}

/** Selects a camera, also while publishing. */
export const selectCamera = ({ selectCamera: take }: WhipPublisher, id: string): Promise<void> =>
  take(id).catch(showError)

/** Selects a microphone, also while publishing. */
export const selectMicrophone = ({ selectMicrophone: take }: WhipPublisher, id: string): Promise<void> =>
  take(id).catch(showError)

/** Stops all own publishers. */
export function stopPublishing(): void {
  for (const publisher of Object.values($publishers.get())) publisher?.stop()
}

export const isPublishing = (publisher: WhipPublisher | null): boolean =>
  publisher !== null && PUBLISHING_STATES.has(publisher.$state.get().is)

const PUBLISHING_STATES = new Set(['starting', 'live', 'reconnecting'])

/**
 * Reports to the room when the stream is really live and which devices are on. Stops the publisher when staff or the end
 * of the event takes it off the stage.
 */
function reportOnAir(kind: PublishedKind, publisher: WhipPublisher): void {
  let reported = ''
  let wasOnAir = false
  const report = () => {
    const { is } = publisher.$state.get()
    if (is === 'failed') expireMedia()
    if (is === 'live') {
      const now = { microphone: publisher.$isMicOn.get(), camera: kind === 'screen' || publisher.$isCameraOn.get() }
      if (reported === JSON.stringify(now)) return
      reported = JSON.stringify(now)
      tabStorage.setItem(`${storageKeyOf(kind)}.on`, reported)
      void roomApi.goOnAir({ kind, ...now }).catch(showError)
    } else if (is === 'reconnecting') {
      reported = reported && REPORT_AGAIN
      wasOnAir = false
    } else if (reported && is !== 'starting') {
      reported = ''
      wasOnAir = false
      void roomApi.goOffAir({ kind }).catch(() => undefined)
    }
  }
  publisher.$state.subscribe(report)
  onCodecRequest((requestedKind) => requestedKind === kind && publisher.addCompanion())
  publisher.$isMicOn.listen(report)
  publisher.$isCameraOn.listen(report)
  $state.listen((state) => {
    if (!state) return
    const isOnAir = state.onAir.some((stream) => stream.kind === kind && stream.personId === $room.get()?.me.personId)
    if ((wasOnAir && !isOnAir) || state.phase === 'finished') {
      publisher.stop()
      // The SFU rejects stream tokens that were issued before the removal; publishing again needs a new one.
      expireMedia()
    }
    wasOnAir = isOnAir
  })
}

const REPORT_AGAIN = 'again'
