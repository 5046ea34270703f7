import { deviceStorage, writeJson } from '#islands/stores/safe-storage.ts'
import { formatLongClock } from '#lib/core/shared/text/clock.ts'
import { readVisits, VISITS_STORAGE_KEY } from './visits.ts'
import { trackWatchedRanges, type WatchedRange } from './watched-ranges.ts'

const visit = document.querySelector<HTMLElement>('[data-visit]')
if (visit) startVisit(visit)

interface VisitReport {
  event: 'watching' | 'saw' | 'click' | 'leave'
  [more: string]: unknown
}

type SendReport = (body: VisitReport) => Promise<Response | null>

function startVisit(root: HTMLElement): void {
  const { visit: key = '', masterclass: id = '', words: strings = '{}' } = root.dataset
  writeJson(deviceStorage, VISITS_STORAGE_KEY, { ...readVisits(), [id]: key })
  const sendReport: SendReport = (body) =>
    fetch(`/v1/masterclass/${id}`, {
      // `keepalive` lets the request finish while the page is being unloaded.
      method: 'POST',
      keepalive: document.hidden || body.event === 'leave',
      body: JSON.stringify({ key, ...body }),
      headers: { 'content-type': 'application/json' },
    }).catch(() => null)
  for (const frame of root.querySelectorAll<HTMLElement>('[data-video]')) trackPart(frame, sendReport)
  const timer = root.querySelector<HTMLElement>('[data-timer]')
  if (timer) startCountdown(timer, JSON.parse(strings).over)
  addEventListener('pagehide', () => void sendReport({ event: 'leave' }))
}

const REPORT_INTERVAL_MS = 10_000

function trackPart(frame: HTMLElement, sendReport: SendReport): void {
  const video = frame.querySelector('video')
  if (!video) return
  const { video: partId = '', hls, second = '0' } = frame.dataset
  let loading: Promise<void> | undefined
  const loadOnce = () => {
    loading ??= loadVideo(video, hls).then(() => {
      if (Number(second) > 5) video.currentTime = Number(second)
    })
    return loading
  }
  const playFrom = (seconds: number) =>
    loadOnce().then(() => {
      video.currentTime = seconds
      return video.play().catch(() => {})
    })
  video.addEventListener('play', () => void loadOnce())
  frame.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-seek]') : null
    if (button) void playFrom(Number(button.dataset.seek))
    const callLink = target instanceof Element ? target.closest<HTMLElement>('[data-call] a') : null
    const buttonId = callLink?.closest<HTMLElement>('[data-call]')?.dataset.call
    if (buttonId) void sendReport({ event: 'click', buttonId })
  })
  const takeWatchedRanges = trackWatchedRanges(video)
  // Ranges that could not be reported are sent with the next report.
  let unreported: WatchedRange[] = []
  const report = async () => {
    unreported = [...unreported, ...takeWatchedRanges()]
    if (unreported.length === 0) return
    const reported = unreported
    const response = await sendReport({
      event: 'watching',
      partId,
      second: Math.floor(video.currentTime),
      watched: reported,
    })
    if (response?.ok) unreported = unreported.filter((range) => !reported.includes(range))
  }
  setInterval(() => void report(), REPORT_INTERVAL_MS)
  for (const event of ['pause', 'ended'] as const) video.addEventListener(event, () => void report())
  document.addEventListener('visibilitychange', () => document.hidden && void report())
  showCallButtons(frame, video, sendReport)
}

/** Shows each button from its second of the video on, and reports its first view. */
function showCallButtons(frame: HTMLElement, video: HTMLVideoElement, sendReport: SendReport): void {
  const calls = [...frame.querySelectorAll<HTMLElement>('[data-call]')]
  const seen = new Set<string>()
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const buttonId = target instanceof HTMLElement ? target.dataset.call : undefined
      if (!isIntersecting || !buttonId || seen.has(buttonId)) continue
      seen.add(buttonId)
      void sendReport({ event: 'saw', buttonId })
    }
  })
  for (const call of calls) if (!call.hidden) observer.observe(call)
  video.addEventListener('timeupdate', () => {
    for (const call of calls) {
      if (!call.hidden || video.currentTime < Number(call.dataset.at)) continue
      call.hidden = false
      observer.observe(call)
    }
  })
}

/** Loads HLS by hls.js in browsers without native support. */
async function loadVideo(video: HTMLVideoElement, hls: string | undefined): Promise<void> {
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

function startCountdown(timer: HTMLElement, overText: string): void {
  const remainingText = timer.querySelector<HTMLElement>('[data-left]')
  const end = Number(timer.dataset.timer)
  const tick = () => {
    const seconds = Math.floor((end - Date.now()) / 1000)
    if (remainingText && seconds >= 0) remainingText.textContent = formatLongClock(seconds)
    else timer.textContent = overText
    if (seconds >= 0) setTimeout(tick, 1000)
  }
  tick()
}
