import { formatNumber, formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { readPreferences, SPEEDS, savePreferences } from '../preferences.ts'
import type { Media, MediaRequest } from '../use-media.ts'

/** The last message; `turn` changes, so that equal messages are announced again. */
export interface ActionMessage {
  text: string
  sequence: number
}

interface ActionContext {
  media: HTMLMediaElement
  dispatch: MediaRequest
  state: Media
  view: PlaybackView
  t: Translate
  locale: Locale
  showMessage: (text: string) => void
}

export type PlayerActions = ReturnType<typeof createPlayerActions>

/** The player's actions for buttons, keys and gestures. */
export function createPlayerActions({ media, dispatch, state, view, t, locale, showMessage }: ActionContext) {
  const duration = () => (Number.isFinite(media.duration) ? media.duration : (view.duration ?? 0))
  const seek = (seconds: number) => dispatch('mediaseekrequest', Math.min(Math.max(0, seconds), duration()))
  const setSpeed = (value: number) => {
    savePreferences({ speed: value })
    media.defaultPlaybackRate = value
    dispatch('mediaplaybackraterequest', value)
    showMessage(t('player:announcement.speed', { speed: formatNumber(value, locale) }))
  }
  const showVolume = (share: number) =>
    showMessage(t('player:announcement.volume', { percent: formatPercent(share, locale) }))
  const setVolume = (value: number) => {
    const level = Math.min(1, Math.max(0, Math.round(value * 20) / 20))
    dispatch('mediavolumerequest', level)
    showVolume(level)
  }
  const setCaptions = (lang: CaptionLang | null) => {
    savePreferences({ captions: lang })
    showCaptions(media, lang)
    showMessage(
      lang === null
        ? t('player:announcement.noCaptions')
        : t('player:announcement.captions', { lang: t(`player:lang.${lang}`) }),
    )
  }
  return {
    togglePlay: () => dispatch(media.paused ? 'mediaplayrequest' : 'mediapauserequest'),
    restart: () => seek(0),
    seek,
    seekBy: (seconds: number) => seek(media.currentTime + seconds),
    seekToShare: (share: number) => seek(duration() * share),
    setSpeed,
    changeSpeed: (change: 1 | -1) => {
      const next = SPEEDS[nearestSpeedIndex(media.playbackRate) + change]
      if (next !== undefined) setSpeed(next)
    },
    setVolume,
    changeVolume: (change: number) => setVolume((media.muted ? 0 : media.volume) + change),
    toggleMute: () => {
      const muted = media.muted || media.volume === 0
      dispatch(muted ? 'mediaunmuterequest' : 'mediamuterequest')
      if (muted) showVolume(media.volume)
      else showMessage(t('player:announcement.muted'))
    },
    setCaptions,
    toggleCaptions: () => {
      if (view.captions.length === 0) return
      setCaptions(shownCaptions(media) === null ? preferredLanguage(view) : null)
    },
    toggleFullscreen: () => {
      if (view.kind === 'audio') return
      dispatch(state.mediaIsFullscreen ? 'mediaexitfullscreenrequest' : 'mediaenterfullscreenrequest')
    },
    togglePictureInPicture: () => dispatch(state.mediaIsPip ? 'mediaexitpiprequest' : 'mediaenterpiprequest'),
  }
}

/** Shows the captions of one language, or none. */
export function showCaptions(media: HTMLMediaElement, lang: CaptionLang | null): void {
  for (const track of media.textTracks) {
    if (track.kind === 'captions') track.mode = track.language === lang ? 'showing' : 'disabled'
  }
}

export function shownCaptions(media: HTMLMediaElement): string | null {
  return [...media.textTracks].find(({ kind, mode }) => kind === 'captions' && mode === 'showing')?.language ?? null
}

const nearestSpeedIndex = (rate: number): number => {
  const index = SPEEDS.findIndex((speed) => speed >= rate)
  return index < 0 ? SPEEDS.length - 1 : index
}

/** The last selected language, else that of the page, else the first. */
function preferredLanguage({ captions }: PlaybackView): CaptionLang | null {
  const preferences = [readPreferences().captions, document.documentElement.lang]
  const available = preferences.flatMap((preference) => captions.find(({ lang }) => lang === preference) ?? [])
  return (available[0] ?? captions[0])?.lang ?? null
}
