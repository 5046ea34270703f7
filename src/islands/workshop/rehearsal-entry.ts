import { openSlides } from '#islands/broadcast/slides.ts'
import { api } from '#islands/stores/api.ts'
import { onPage } from '#islands/stores/page.ts'
import { formatBytes, formatNumber, formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'
import { judgeRoom, judgeUplink, type Light, worstOf } from './rehearsal-rules.ts'
import { openProbe, type Probe } from './uplink-probe.ts'

/*
 * A rehearsal: the event's own browser, server and files are tried the way they will be used. Each row ends green, amber
 * or red with its reason in words; one that fails does not stop the others.
 */

interface Props {
  workshopId: string
  slides: string | null
  locale: Locale
  strings: Strings
}

type Row = 'uplink' | 'viewers' | 'film' | 'slides' | 'links' | 'handouts' | 'recording' | 'letters'
interface Finding {
  light: Light
  words: string
}

const SECONDS = 5

onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-rehearsal]')
  const begin = place?.querySelector<HTMLButtonElement>('[data-begin]')
  const letters = place?.querySelector<HTMLButtonElement>('[data-letters]')
  if (!place || !begin || !letters) return
  const props: Props = JSON.parse(place.dataset.rehearsal ?? '{}')
  const desk = deskOf(place, props)
  begin.hidden = false
  letters.hidden = false
  let probe: Probe | null = null
  begin.addEventListener('click', async () => {
    begin.disabled = true
    await rehearse(desk, props, (opened) => {
      probe = opened
    }).finally(() => {
      begin.disabled = false
    })
  })
  letters.addEventListener('click', async () => {
    letters.disabled = true
    await desk.run('letters', () => sendLetters(props, desk.t))
    letters.disabled = false
  })
  return () => probe?.close()
})

interface Desk {
  t: Translate
  preview: HTMLVideoElement | null
  /** Shows that a row is being tried, and then what was found; a failure is a finding. */
  run(row: Row, find: () => Promise<Finding>): Promise<Light>
  conclude(light: Light): void
}

function deskOf(place: HTMLElement, { strings, locale }: Props): Desk {
  const t = createTranslator(strings, locale)
  const show = (row: Row, state: string, words: string) => {
    const line = place.querySelector<HTMLElement>(`[data-row=${row}]`)
    const said = line?.querySelector<HTMLElement>('[data-says]')
    if (line) line.dataset.state = state
    if (said) said.textContent = words
  }
  return {
    t,
    preview: place.querySelector('video'),
    async run(row, find) {
      show(row, 'busy', t('rehearsal:busy'))
      const found = await find().catch((): Finding => ({ light: 'bad', words: t(`rehearsal:failed.${row}`) }))
      show(row, found.light, `${t(`rehearsal:light.${found.light}`)}. ${found.words}`)
      return found.light
    },
    conclude(light) {
      const verdict = place.querySelector<HTMLElement>('[data-verdict]')
      if (verdict) verdict.textContent = t(`rehearsal:verdict.${light}`)
    },
  }
}

async function rehearse(desk: Desk, props: Props, opened: (probe: Probe | null) => void): Promise<void> {
  const { workshopId } = props
  const quiet = { context: { quiet: true } }
  const rehearsal = await api.workshop.beginRehearsal({ workshopId }, quiet)
  const { rehearsalId } = rehearsal
  const prepared = Promise.all([desk.run('slides', () => readSlides(props, desk.t)), checkPlan(desk, props)])
  let probe: Probe | null = null
  const lights: Light[] = []
  lights.push(
    await desk.run('uplink', async () => {
      probe = await openProbe(rehearsal)
      opened(probe)
      showPreview(desk.preview, probe.stream)
      return describeUplink(await probe.measure(SECONDS), desk.t, props.locale)
    }),
  )
  const onAir = probe !== null
  lights.push(
    ...(await Promise.all([
      desk.run('film', () => tryFilm(rehearsalId, onAir, desk.t)),
      desk.run('viewers', () => tryViewers(rehearsalId, onAir, desk.t)),
    ])),
  )
  opened(null)
  closeProbe(probe)
  showPreview(desk.preview, null)
  lights.push(...(await prepared).flat())
  await api.workshop.finishRehearsal({ rehearsalId }, quiet)
  desk.conclude(worstOf(lights))
}

const closeProbe = (probe: Probe | null) => probe?.close()

function showPreview(video: HTMLVideoElement | null, stream: MediaStream | null): void {
  if (!video) return
  video.srcObject = stream
  video.classList.toggle('hidden', !stream)
  if (stream) void video.play().catch(() => {})
}

function describeUplink(uplink: Parameters<typeof judgeUplink>[0], t: Translate, locale: Locale): Finding {
  const { bitrate, loss, roundTrip } = uplink
  const words = t('rehearsal:uplink', {
    rate: formatNumber(Math.round(bitrate / 1000), locale),
    loss: formatPercent(loss, locale),
    delay: roundTrip === null ? '–' : String(roundTrip),
  })
  return { light: judgeUplink(uplink), words }
}

async function readSlides({ slides: address }: Props, t: Translate): Promise<Finding> {
  if (!address) return { light: 'warn', words: t('rehearsal:slides.none') }
  const slides = await openSlides(address)
  await slides.draw(slides.pages, document.createElement('canvas'), { width: 320 })
  slides.close()
  return { light: 'good', words: t('rehearsal:slides.pages', { count: slides.pages }) }
}

async function checkPlan(desk: Desk, { workshopId, locale }: Props): Promise<Light[]> {
  const { t } = desk
  const asked = api.workshop.checkRehearsal({ workshopId }, { context: { isQuiet: true } })
  return Promise.all([
    desk.run('links', async () => {
      const { links } = await asked
      const dead = links.flatMap(({ name, because }) => (because === 'answers' ? [] : [{ name, because }]))
      if (links.length === 0) return { light: 'warn', words: t('rehearsal:links.none') }
      if (dead.length === 0) return { light: 'good', words: t('rehearsal:links.all', { count: links.length }) }
      const named = dead.map(({ name, because }) => `«${name}»: ${t(`rehearsal:link.${because}`)}`)
      return { light: 'bad', words: named.join('; ') }
    }),
    desk.run('handouts', async () => {
      const { handouts, lostHandouts } = await asked
      if (lostHandouts.length > 0) {
        return { light: 'bad', words: t('rehearsal:handouts.lost', { names: lostHandouts.join(', ') }) }
      }
      const words = handouts === 0 ? t('rehearsal:handouts.none') : t('rehearsal:handouts.all', { count: handouts })
      return { light: 'good', words }
    }),
    desk.run('recording', async () => {
      const { recording, room, wanted } = await asked
      if (recording !== 'ready') {
        return { light: recording === 'off' ? 'warn' : 'bad', words: t(`rehearsal:recording.${recording}`) }
      }
      const sizes = { wanted: formatBytes(wanted, locale), room: room === null ? '∞' : formatBytes(room, locale) }
      return { light: judgeRoom(room, wanted), words: t('rehearsal:recording.ready', sizes) }
    }),
  ])
}

async function tryFilm(rehearsalId: string, onAir: boolean, t: Translate): Promise<Finding> {
  if (!onAir) return { light: 'bad', words: t('rehearsal:noStream') }
  const quiet = { context: { quiet: true } }
  const { recording } = await api.workshop.recordRehearsal({ rehearsalId }, quiet)
  if (!recording) return { light: 'warn', words: t('rehearsal:film.cannot') }
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000))
  const { seconds } = await api.workshop.composeRehearsal({ rehearsalId }, quiet)
  return seconds > 0
    ? { light: 'good', words: t('rehearsal:film.made', { count: seconds }) }
    : { light: 'bad', words: t('rehearsal:film.empty') }
}

async function tryViewers(rehearsalId: string, onAir: boolean, t: Translate): Promise<Finding> {
  if (!onAir) return { light: 'bad', words: t('rehearsal:noStream') }
  const seen = await api.workshop.watchRehearsal({ rehearsalId }, { context: { isQuiet: true } })
  const { viewers, watching, fewestFrames } = seen
  const light = watching === viewers ? 'good' : watching > 0 ? 'warn' : 'bad'
  return {
    light,
    words: t('rehearsal:viewers', { watching, viewers, frames: t('rehearsal:frames', { count: fewestFrames }) }),
  }
}

async function sendLetters({ workshopId }: Props, t: Translate): Promise<Finding> {
  const { sent } = await api.registration.sendTest({ workshopId }, { context: { isQuiet: true } })
  return { light: 'good', words: t('rehearsal:letters', { count: sent }) }
}
