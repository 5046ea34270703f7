import { onPage } from '#islands/stores/page.ts'
import { createBlackout } from './audio-only-mode.ts'
import { createPublisher } from './publisher.ts'
import { wasPublishing } from './publishing-marker.ts'
import { createStreamPlayer } from './stream-player.ts'

/** The page for testing live streams without an event. The state is shown in `data-` attributes. */

interface Trial {
  kind: 'camera' | 'screen'
  whip: string
  whep: string
  hls: string | null
  backToLive?: number
  publish: string
  play: string
}

onPage(() => {
  const own = document.querySelector<HTMLElement>('[data-live-own]')
  const watch = document.querySelector<HTMLElement>('[data-live-watch]')
  if (own) present(own, JSON.parse(own.dataset.liveOwn ?? '[]'))
  if (watch) look(watch, JSON.parse(watch.dataset.liveWatch ?? '[]'))
})

function present(place: HTMLElement, trials: Trial[]): void {
  const video = place.querySelector('video')
  const [camera, screen] = trials.map(({ kind, whip: endpoint, publish: token }) =>
    createPublisher({ endpoint, token, kind, key: `${place.dataset.room}-${kind}` }),
  )
  if (!camera || !screen || !video) return
  camera.$state.subscribe((state) => {
    place.dataset.state = state.is === 'failed' ? `failed ${state.reason}` : state.is
  })
  screen.$state.subscribe((state) => {
    place.dataset.screen = state.is === 'failed' ? `failed ${state.reason}` : state.is
  })
  camera.$level.subscribe((level) => {
    place.dataset.level = level.toFixed(2)
  })
  camera.$stream.subscribe((stream) => {
    video.srcObject = stream
  })
  const actions: Record<string, () => unknown> = {
    start: () => camera.start(),
    screen: () => screen.start(),
    stop() {
      camera.stop()
      screen.stop()
    },
    camera: () => camera.setCamera(!camera.$isCameraOn.get()),
    microphone: () => camera.setMic(!camera.$isMicOn.get()),
  }
  press(place, actions)
  if (wasPublishing(`${place.dataset.room}-camera`)) void camera.start()
}

function look(place: HTMLElement, trials: Trial[]): void {
  const blackout = createBlackout()
  const watchers = trials.flatMap(({ kind, whep: endpoint, hls: hlsUrl, play: token, backToLive: retryWebrtcMs }) => {
    const video = place.querySelector<HTMLVideoElement>(`video[data-stream="${kind}"]`)
    if (!video) return []
    const watcher = createStreamPlayer({
      video,
      endpoint,
      hlsUrl,
      token,
      ...(retryWebrtcMs && { retryWebrtcMs }),
    })
    watcher.$mode.subscribe((how) => {
      video.dataset.how = how
    })
    watcher.$state.subscribe((state) => {
      video.dataset.state = state
    })
    watcher.$latencySeconds.subscribe((behind) => {
      video.dataset.behind = behind === null ? '' : behind.toFixed(1)
    })
    watcher.$isAutoplayBlocked.subscribe((blocked) => {
      video.dataset.blocked = String(blocked)
    })
    blackout.add(watcher)
    return [watcher]
  })
  press(place, {
    sound: () => Promise.all(watchers.map((watcher) => watcher.unmute())),
    save: () => blackout.choose(blackout.$isAudioOnly.get() ? 'auto' : 'always'),
  })
}

function press(place: HTMLElement, actions: Record<string, () => unknown>): void {
  for (const button of place.querySelectorAll<HTMLElement>('[data-action]')) {
    button.addEventListener('click', () => void actions[button.dataset.action ?? '']?.())
  }
}
