import { useStore } from '@nanostores/react'
import { type ReactNode, useId } from 'react'
import { formatNumber, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { PlaybackEngine } from '../engine.ts'
import { SPEEDS } from '../preferences.ts'
import type { Media } from '../use-media.ts'
import { type PlayerActions, shownCaptions } from './actions.ts'
import { Panel } from './Panel.tsx'

interface Props {
  media: HTMLMediaElement
  engine: PlaybackEngine
  state: Media
  actions: PlayerActions
  view: PlaybackView
  t: Translate
  locale: Locale
  close: () => void
}

/** Speed, quality, captions, audio only: native selects, which work on phones and in full screen too. */
export function Settings({ media, engine, state, actions, view, t, locale, close }: Props) {
  const { heights, chosenHeight, currentHeight, isAudioOnly } = useStore(engine.$state)
  const hasPendingQualities =
    view.kind === 'video' && view.processing !== null && !/finished|failed/.test(view.processing.state)
  return (
    <Panel label={t('player:settings')} close={close}>
      <Choice
        label={t('player:speed')}
        value={String(state.mediaPlaybackRate ?? 1)}
        onChoose={(value) => actions.setSpeed(Number(value))}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {`${formatNumber(speed, locale)}×`}
          </option>
        ))}
      </Choice>
      {heights.length > 0 && !isAudioOnly && (
        <Choice
          label={t('player:quality')}
          value={chosenHeight === null ? 'auto' : String(chosenHeight)}
          onChoose={(value) => engine.chooseHeight(value === 'auto' ? null : Number(value))}
        >
          <option value="auto">
            {currentHeight && chosenHeight === null ? t('player:autoNow', { height: currentHeight }) : t('player:auto')}
          </option>
          {heights.map((height) => (
            <option key={height} value={height}>
              {height}p
            </option>
          ))}
        </Choice>
      )}
      {view.captions.length > 0 && (
        <Choice
          label={t('player:captions')}
          value={shownCaptions(media) ?? 'none'}
          onChoose={(value) => actions.setCaptions(view.captions.find(({ lang }) => lang === value)?.lang ?? null)}
        >
          <option value="none">{t('player:none')}</option>
          {view.captions.map(({ lang }) => (
            <option key={lang} value={lang}>
              {t(`player:lang.${lang}`)}
            </option>
          ))}
        </Choice>
      )}
      {view.sound && (
        <label className="player-choice">
          <span>{t('player:soundOnly')}</span>
          <input
            type="checkbox"
            className="toggle toggle-sm"
            checked={isAudioOnly}
            onChange={(event) => engine.setAudioOnly(event.currentTarget.checked)}
          />
        </label>
      )}
      {hasPendingQualities && <p className="player-hint">{t('player:moreQualities')}</p>}
      <Keys t={t} />
    </Panel>
  )
}

interface ChoiceProps {
  label: string
  value: string
  onChoose: (value: string) => void
  children: ReactNode
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  const id = useId()
  return (
    <p className="player-choice">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select select-sm w-auto"
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {children}
      </select>
    </p>
  )
}

const KEYS = {
  play: 'K',
  step: '← →',
  leap: 'J L',
  volume: '↑ ↓',
  mute: 'M',
  captions: 'C',
  full: 'F',
  speed: '< >',
  part: '0–9',
} as const

function Keys({ t }: { t: Translate }) {
  return (
    <details className="player-keys">
      <summary>{t('player:keys')}</summary>
      <dl>
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((key) => (
          <div key={key}>
            <dt>
              <kbd className="kbd">{KEYS[key]}</kbd>
            </dt>
            <dd>{t(`player:keyNames.${key}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
