import { deviceStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { readVisits, VISITS } from './visits.ts'
import { type Stretch, watchStretches } from './watched-ranges.ts'

const visit = document.querySelector<HTMLElement>('[data-visit]')
if (visit) begin(visit)

interface Told {
  say: 'watching' | 'saw' | 'click' | 'leave'
  [more: string]: unknown
}

type Tell = (body: Told) => Promise<Response | null>

function begin(root: HTMLElement): void {
  const { visit: key = '', masterclass: id = '', words = '{}' } = root.dataset
  writeJson(deviceStorage, VISITS, { ...readVisits(), [id]: key })
  const tell: Tell = (body) =>
    fetch(`/v1/masterclass/${id}`, {
      // What is said while the page goes away arrives all the same.
      method: 'POST',
      keepalive: document.hidden || body.say === 'leave',
      body: JSON.stringify({ key, ...body }),
      headers: { 'content-type': 'application/json' },
    }).catch(() => null)
  for (const frame of root.querySelectorAll<HTMLElement>('[data-film]')) follow(frame, tell)
  const timer = root.querySelector<HTMLElement>('[data-timer]')
  if (timer) count(timer, JSON.parse(words).over)
  addEventListener('pagehide', () => void tell({ say: 'leave' }))
}

const TELL_MS = 10_000

function follow(frame: HTMLElement, tell: Tell): void {
  const video = frame.querySelector('video')
  if (!video) return
  const { film: partId = '', hls, second = '0' } = frame.dataset
  let attached: Promise<void> | undefined
  const attach = () => {
    attached ??= load(video, hls).then(() => {
      if (Number(second) > 5) video.currentTime = Number(second)
    })
    return attached
  }
  const play = (at: number) =>
    attach().then(() => {
      video.currentTime = at
      return video.play().catch(() => {})
    })
  video.addEventListener('play', () => void attach())
  frame.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-seek]') : null
    if (button) void play(Number(button.dataset.seek))
    const call = target instanceof Element ? target.closest<HTMLElement>('[data-call] a') : null
    const buttonId = call?.closest<HTMLElement>('[data-call]')?.dataset.call
    if (buttonId) void tell({ say: 'click', buttonId })
  })
  const taken = watchStretches(video)
  // What could not be told is kept and told with what comes next.
  let untold: Stretch[] = []
  const report = async () => {
    untold = [...untold, ...taken()]
    if (untold.length === 0) return
    const told = untold
    const answer = await tell({ say: 'watching', partId, second: Math.floor(video.currentTime), watched: told })
    if (answer?.ok) untold = untold.filter((one) => !told.includes(one))
  }
  setInterval(() => void report(), TELL_MS)
  for (const event of ['pause', 'ended'] as const) video.addEventListener(event, () => void report())
  document.addEventListener('visibilitychange', () => document.hidden && void report())
  showCalls(frame, video, tell)
}

/** A button comes at its second and stays. */
function showCalls(frame: HTMLElement, video: HTMLVideoElement, tell: Tell): void {
  const calls = [...frame.querySelectorAll<HTMLElement>('[data-call]')]
  const seen = new Set<string>()
  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const buttonId = target instanceof HTMLElement ? target.dataset.call : undefined
      if (!isIntersecting || !buttonId || seen.has(buttonId)) continue
      seen.add(buttonId)
      void tell({ say: 'saw', buttonId })
    }
  })
  for (const call of calls) if (!call.hidden) watcher.observe(call)
  video.addEventListener('timeupdate', () => {
    for (const call of calls) {
      if (!call.hidden || video.currentTime < Number(call.dataset.at)) continue
      call.hidden = false
      watcher.observe(call)
    }
  })
}

/** Films made for the network come by hls.js where the browser does not know them itself. */
async function load(video: HTMLVideoElement, hls: string | undefined): Promise<void> {
  if (!hls) return
  const resume = video.autoplay || !video.paused
  if (video.canPlayType('application/vnd.apple.mpegurl')) {
    video.src = hls
  } else {
    const { default: Hls } = await import('hls.js')
    if (!Hls.isSupported()) return
    const player = new Hls({ enableWorker: false })
    player.loadSource(hls)
    player.attachMedia(video)
  }
  if (resume) await video.play().catch(() => {})
}

function count(timer: HTMLElement, over: string): void {
  const left = timer.querySelector<HTMLElement>('[data-left]')
  const end = Number(timer.dataset.timer)
  const two = (value: number) => String(value).padStart(2, '0')
  const tick = () => {
    const seconds = Math.floor((end - Date.now()) / 1000)
    if (left && seconds >= 0)
      left.textContent = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    else timer.textContent = over
    if (seconds >= 0) setTimeout(tick, 1000)
  }
  tick()
}
