import { openSlideDeck } from '#islands/broadcast/slides.ts'
import { api } from '#islands/stores/api.ts'
import { onPage } from '#islands/stores/page.ts'
import { formatBytes, formatNumber, formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'
import { type CheckRating, rateFreeSpace, rateUplink, worstRating } from './rehearsal-rules.ts'
import { openProbe, type Probe } from './uplink-probe.ts'

/*
 * A rehearsal checks the browser, the server and the files of an event under real conditions. Each check ends with a
 * rating and its reason; a failed check does not stop the others.
 */

interface Props {
  workshopId: string
  slides: string | null
  locale: Locale
  strings: Strings
}

type CheckName = 'uplink' | 'viewers' | 'video' | 'slides' | 'links' | 'handouts' | 'recording' | 'emails'
interface CheckResult {
  rating: CheckRating
  text: string
}

const MEASURE_SECONDS = 5

onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-rehearsal]')
  const startButton = place?.querySelector<HTMLButtonElement>('[data-start-check]')
  const emailButton = place?.querySelector<HTMLButtonElement>('[data-emails]')
  if (!place || !startButton || !emailButton) return
  const props: Props = JSON.parse(place.dataset.rehearsal ?? '{}')
  const view = createRehearsalView(place, props)
  startButton.hidden = false
  emailButton.hidden = false
  let probe: Probe | null = null
  startButton.addEventListener('click', async () => {
    startButton.disabled = true
    await runRehearsal(view, props, (opened) => {
      probe = opened
    }).finally(() => {
      startButton.disabled = false
    })
  })
  emailButton.addEventListener('click', async () => {
    emailButton.disabled = true
    await view.runCheck('emails', () => sendTestEmails(props, view.t))
    emailButton.disabled = false
  })
  return () => probe?.close()
})

interface RehearsalView {
  t: Translate
  preview: HTMLVideoElement | null
  /** Shows a check as running and then its result; an error becomes a failed result. */
  runCheck(row: CheckName, find: () => Promise<CheckResult>): Promise<CheckRating>
  showVerdict(light: CheckRating): void
}

function createRehearsalView(place: HTMLElement, { strings, locale }: Props): RehearsalView {
  const t = createTranslator(strings, locale)
  const show = (check: CheckName, state: string, text: string) => {
    const row = place.querySelector<HTMLElement>(`[data-row=${check}]`)
    const resultText = row?.querySelector<HTMLElement>('[data-result]')
    if (row) row.dataset.state = state
    if (resultText) resultText.textContent = text
  }
  return {
    t,
    preview: place.querySelector('video'),
    async runCheck(row, find) {
      show(row, 'busy', t('rehearsal:busy'))
      const result = await find().catch((): CheckResult => ({ rating: 'bad', text: t(`rehearsal:failed.${row}`) }))
      show(row, result.rating, `${t(`rehearsal:light.${result.rating}`)}. ${result.text}`)
      return result.rating
    },
    showVerdict(light) {
      const verdict = place.querySelector<HTMLElement>('[data-verdict]')
      if (verdict) verdict.textContent = t(`rehearsal:verdict.${light}`)
    },
  }
}

async function runRehearsal(view: RehearsalView, props: Props, onProbe: (probe: Probe | null) => void): Promise<void> {
  const { workshopId } = props
  const quiet = { context: { isQuiet: true } }
  const rehearsal = await api.workshop.beginRehearsal({ workshopId }, quiet)
  const { rehearsalId } = rehearsal
  const prepared = Promise.all([
    view.runCheck('slides', () => checkSlides(props, view.t)),
    checkPreparation(view, props),
  ])
  let probe: Probe | null = null
  const ratings: CheckRating[] = []
  ratings.push(
    await view.runCheck('uplink', async () => {
      probe = await openProbe(rehearsal)
      onProbe(probe)
      showPreview(view.preview, probe.stream)
      return describeUplink(await probe.measure(MEASURE_SECONDS), view.t, props.locale)
    }),
  )
  const isPublishing = probe !== null
  ratings.push(
    ...(await Promise.all([
      view.runCheck('video', () => checkRecording(rehearsalId, isPublishing, view.t)),
      view.runCheck('viewers', () => checkViewers(rehearsalId, isPublishing, view.t)),
    ])),
  )
  onProbe(null)
  closeProbe(probe)
  showPreview(view.preview, null)
  ratings.push(...(await prepared).flat())
  await api.workshop.finishRehearsal({ rehearsalId }, quiet)
  view.showVerdict(worstRating(ratings))
}

const closeProbe = (probe: Probe | null) => probe?.close()

function showPreview(video: HTMLVideoElement | null, stream: MediaStream | null): void {
  if (!video) return
  video.srcObject = stream
  video.classList.toggle('hidden', !stream)
  if (stream) void video.play().catch(() => {})
}

function describeUplink(uplink: Parameters<typeof rateUplink>[0], t: Translate, locale: Locale): CheckResult {
  const { bitsPerSecond: bitrate, lossShare: loss, roundTripMs: roundTrip } = uplink
  const text = t('rehearsal:uplink', {
    rate: formatNumber(Math.round(bitrate / 1000), locale),
    loss: formatPercent(loss, locale),
    delay: roundTrip === null ? '–' : String(roundTrip),
  })
  return { rating: rateUplink(uplink), text }
}

async function checkSlides({ slides: address }: Props, t: Translate): Promise<CheckResult> {
  if (!address) return { rating: 'warn', text: t('rehearsal:slides.none') }
  const slides = await openSlideDeck(address)
  await slides.draw(slides.pageCount, document.createElement('canvas'), { width: 320 })
  slides.close()
  return { rating: 'good', text: t('rehearsal:slides.pages', { count: slides.pageCount }) }
}

async function checkPreparation(view: RehearsalView, { workshopId, locale }: Props): Promise<CheckRating[]> {
  const { t } = view
  const preparation = api.workshop.checkRehearsal({ workshopId }, { context: { isQuiet: true } })
  return Promise.all([
    view.runCheck('links', async () => {
      const { links } = await preparation
      const failedLinks = links.flatMap(({ name, reason }) => (reason === 'answers' ? [] : [{ name, reason }]))
      if (links.length === 0) return { rating: 'warn', text: t('rehearsal:links.none') }
      if (failedLinks.length === 0) return { rating: 'good', text: t('rehearsal:links.all', { count: links.length }) }
      const named = failedLinks.map(({ name, reason }) => `«${name}»: ${t(`rehearsal:link.${reason}`)}`)
      return { rating: 'bad', text: named.join('; ') }
    }),
    view.runCheck('handouts', async () => {
      const { handouts, missingHandouts } = await preparation
      if (missingHandouts.length > 0) {
        return { rating: 'bad', text: t('rehearsal:handouts.lost', { names: missingHandouts.join(', ') }) }
      }
      const text = handouts === 0 ? t('rehearsal:handouts.none') : t('rehearsal:handouts.all', { count: handouts })
      return { rating: 'good', text }
    }),
    view.runCheck('recording', async () => {
      const { recording, room, requiredBytes, disk } = await preparation
      if (recording !== 'ready') {
        return { rating: recording === 'off' ? 'warn' : 'bad', text: t(`rehearsal:recording.${recording}`) }
      }
      const diskRating = rateFreeSpace(disk.free, disk.requiredBytes)
      if (diskRating !== 'good') {
        const diskSizes = { required: formatBytes(disk.requiredBytes, locale), room: formatBytes(disk.free, locale) }
        return { rating: diskRating, text: t('rehearsal:recording.disk', diskSizes) }
      }
      const sizes = {
        required: formatBytes(requiredBytes, locale),
        room: room === null ? '∞' : formatBytes(room, locale),
      }
      return { rating: rateFreeSpace(room, requiredBytes), text: t('rehearsal:recording.ready', sizes) }
    }),
  ])
}

async function checkRecording(rehearsalId: string, isPublishing: boolean, t: Translate): Promise<CheckResult> {
  if (!isPublishing) return { rating: 'bad', text: t('rehearsal:noStream') }
  const quiet = { context: { isQuiet: true } }
  const { recording } = await api.workshop.recordRehearsal({ rehearsalId }, quiet)
  if (!recording) return { rating: 'warn', text: t('rehearsal:video.cannot') }
  await new Promise((resolve) => setTimeout(resolve, MEASURE_SECONDS * 1000))
  const { seconds } = await api.workshop.composeRehearsal({ rehearsalId }, quiet)
  return seconds > 0
    ? { rating: 'good', text: t('rehearsal:video.made', { count: seconds }) }
    : { rating: 'bad', text: t('rehearsal:video.empty') }
}

async function checkViewers(rehearsalId: string, isPublishing: boolean, t: Translate): Promise<CheckResult> {
  if (!isPublishing) return { rating: 'bad', text: t('rehearsal:noStream') }
  const result = await api.workshop.watchRehearsal({ rehearsalId }, { context: { isQuiet: true } })
  const { viewers, receivingCount: watching, minFrames: fewestFrames } = result
  const light = watching === viewers ? 'good' : watching > 0 ? 'warn' : 'bad'
  return {
    rating: light,
    text: t('rehearsal:viewers', { watching, viewers, frames: t('rehearsal:frames', { count: fewestFrames }) }),
  }
}

async function sendTestEmails({ workshopId }: Props, t: Translate): Promise<CheckResult> {
  const { sent } = await api.registration.sendTest({ workshopId }, { context: { isQuiet: true } })
  return { rating: 'good', text: t('rehearsal:emails', { count: sent }) }
}
