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
  const publisherPanel = document.querySelector<HTMLElement>('[data-live-publish]')
  const subscriberPanel = document.querySelector<HTMLElement>('[data-live-play]')
  if (publisherPanel) publishTrial(publisherPanel, JSON.parse(publisherPanel.dataset.livePublish ?? '[]'))
  if (subscriberPanel) playTrial(subscriberPanel, JSON.parse(subscriberPanel.dataset.livePlay ?? '[]'))
})

function publishTrial(panel: HTMLElement, trials: Trial[]): void {
  const video = panel.querySelector('video')
  const [camera, screen] = trials.map(({ kind, whip: endpoint, publish: token }) =>
    createPublisher({ endpoint, token, kind, key: `${panel.dataset.room}-${kind}` }),
  )
  if (!camera || !screen || !video) return
  camera.$state.subscribe((state) => {
    panel.dataset.state = state.is === 'failed' ? `failed ${state.reason}` : state.is
  })
  screen.$state.subscribe((state) => {
    panel.dataset.screen = state.is === 'failed' ? `failed ${state.reason}` : state.is
  })
  camera.$level.subscribe((level) => {
    panel.dataset.level = level.toFixed(2)
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
  bindActions(panel, actions)
  if (wasPublishing(`${panel.dataset.room}-camera`)) void camera.start()
}

function playTrial(panel: HTMLElement, trials: Trial[]): void {
  const blackout = createBlackout()
  const players = trials.flatMap(({ kind, whep: endpoint, hls: hlsUrl, play: token, backToLive: retryWebrtcMs }) => {
    const video = panel.querySelector<HTMLVideoElement>(`video[data-stream="${kind}"]`)
    if (!video) return []
    const player = createStreamPlayer({
      video,
      endpoint,
      hlsUrl,
      token,
      ...(retryWebrtcMs && { retryWebrtcMs }),
    })
    player.$mode.subscribe((mode) => {
      video.dataset.mode = mode
    })
    player.$state.subscribe((state) => {
      video.dataset.state = state
    })
    player.$latencySeconds.subscribe((latencySeconds) => {
      video.dataset.latency = latencySeconds === null ? '' : latencySeconds.toFixed(1)
    })
    player.$isAutoplayBlocked.subscribe((blocked) => {
      video.dataset.blocked = String(blocked)
    })
    blackout.add(player)
    return [player]
  })
  bindActions(panel, {
    sound: () => Promise.all(players.map((player) => player.unmute())),
    save: () => blackout.choose(blackout.$isAudioOnly.get() ? 'auto' : 'always'),
  })
}

function bindActions(panel: HTMLElement, actions: Record<string, () => unknown>): void {
  for (const button of panel.querySelectorAll<HTMLElement>('[data-action]')) {
    button.addEventListener('click', () => void actions[button.dataset.action ?? '']?.())
  }
}
