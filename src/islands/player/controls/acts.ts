import { formatNumber, formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import type { CaptionLang } from '#lib/core/shared/storing.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { keepHabit, readHabits, SPEEDS } from '../habits.ts'
import type { Ask, Media } from '../use-media.ts'

/** The last thing told; `turn` lets the same words be told again. */
export interface Said {
  text: string
  turn: number
}

interface Parts {
  media: HTMLMediaElement
  ask: Ask
  state: Media
  view: PlaybackView
  say: Say
  locale: Locale
  tell: (text: string) => void
}

export type Acts = ReturnType<typeof actsOf>

/** What buttons, keys and fingers can do with a recording. */
export function actsOf({ media, ask, state, view, say, locale, tell }: Parts) {
  const duration = () => (Number.isFinite(media.duration) ? media.duration : (view.duration ?? 0))
  const seek = (seconds: number) => ask('mediaseekrequest', Math.min(Math.max(0, seconds), duration()))
  const speed = (value: number) => {
    keepHabit({ speed: value })
    media.defaultPlaybackRate = value
    ask('mediaplaybackraterequest', value)
    tell(say('player:said.speed', { speed: formatNumber(value, locale) }))
  }
  const loudness = (share: number) => tell(say('player:said.volume', { percent: formatPercent(share, locale) }))
  const volume = (value: number) => {
    const kept = Math.min(1, Math.max(0, Math.round(value * 20) / 20))
    ask('mediavolumerequest', kept)
    loudness(kept)
  }
  const captions = (lang: CaptionLang | null) => {
    keepHabit({ captions: lang })
    showCaptions(media, lang)
    tell(
      lang === null ? say('player:said.noCaptions') : say('player:said.captions', { lang: say(`player:lang.${lang}`) }),
    )
  }
  return {
    toggle: () => ask(media.paused ? 'mediaplayrequest' : 'mediapauserequest'),
    again: () => seek(0),
    seek,
    step: (seconds: number) => seek(media.currentTime + seconds),
    part: (share: number) => seek(duration() * share),
    speed,
    faster: (by: 1 | -1) => {
      const next = SPEEDS[nearest(media.playbackRate) + by]
      if (next !== undefined) speed(next)
    },
    volume,
    louder: (by: number) => volume((media.muted ? 0 : media.volume) + by),
    mute: () => {
      const muted = media.muted || media.volume === 0
      ask(muted ? 'mediaunmuterequest' : 'mediamuterequest')
      if (muted) loudness(media.volume)
      else tell(say('player:said.muted'))
    },
    captions,
    toggleCaptions: () => {
      if (view.captions.length === 0) return
      captions(shownCaptions(media) === null ? preferred(view) : null)
    },
    full: () => {
      if (view.kind === 'audio') return
      ask(state.mediaIsFullscreen ? 'mediaexitfullscreenrequest' : 'mediaenterfullscreenrequest')
    },
    pip: () => ask(state.mediaIsPip ? 'mediaexitpiprequest' : 'mediaenterpiprequest'),
  }
}

/** Shows one language, or none. */
export function showCaptions(media: HTMLMediaElement, lang: CaptionLang | null): void {
  for (const track of media.textTracks) {
    if (track.kind === 'captions') track.mode = track.language === lang ? 'showing' : 'disabled'
  }
}

export function shownCaptions(media: HTMLMediaElement): string | null {
  return [...media.textTracks].find(({ kind, mode }) => kind === 'captions' && mode === 'showing')?.language ?? null
}

const nearest = (rate: number): number => {
  const index = SPEEDS.findIndex((speed) => speed >= rate)
  return index < 0 ? SPEEDS.length - 1 : index
}

/** The language chosen last, else that of the page, else the first. */
function preferred({ captions }: PlaybackView): CaptionLang | null {
  const wishes = [readHabits().captions, document.documentElement.lang]
  const wished = wishes.flatMap((wish) => captions.find(({ lang }) => lang === wish) ?? [])
  return (wished[0] ?? captions[0])?.lang ?? null
}
