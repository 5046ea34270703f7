import { useStore } from '@nanostores/react'
import { type ReactNode, useId } from 'react'
import { formatNumber, type Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { Engine } from '../engine.ts'
import { SPEEDS } from '../habits.ts'
import type { Media } from '../use-media.ts'
import { type Acts, shownCaptions } from './acts.ts'
import { Panel } from './Panel.tsx'

interface Props {
  media: HTMLMediaElement
  engine: Engine
  state: Media
  acts: Acts
  view: PlaybackView
  say: Say
  locale: Locale
  close: () => void
}

/** Speed, quality, captions, the sound alone: the browser's own choices, which work on phones and full screens too. */
export function Settings({ media, engine, state, acts, view, say, locale, close }: Props) {
  const { heights, chosen, now, soundOnly } = useStore(engine.$state)
  const more = view.kind === 'video' && view.making !== null && !/finished|failed/.test(view.making.state)
  return (
    <Panel label={say('player:settings')} close={close}>
      <Choice
        label={say('player:speed')}
        value={String(state.mediaPlaybackRate ?? 1)}
        onChoose={(value) => acts.speed(Number(value))}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {`${formatNumber(speed, locale)}×`}
          </option>
        ))}
      </Choice>
      {heights.length > 0 && !soundOnly && (
        <Choice
          label={say('player:quality')}
          value={chosen === null ? 'auto' : String(chosen)}
          onChoose={(value) => engine.choose(value === 'auto' ? null : Number(value))}
        >
          <option value="auto">
            {now && chosen === null ? say('player:autoNow', { height: now }) : say('player:auto')}
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
          label={say('player:captions')}
          value={shownCaptions(media) ?? 'none'}
          onChoose={(value) => acts.captions(view.captions.find(({ lang }) => lang === value)?.lang ?? null)}
        >
          <option value="none">{say('player:none')}</option>
          {view.captions.map(({ lang }) => (
            <option key={lang} value={lang}>
              {say(`player:lang.${lang}`)}
            </option>
          ))}
        </Choice>
      )}
      {view.sound && (
        <label className="player-choice">
          <span>{say('player:soundOnly')}</span>
          <input
            type="checkbox"
            className="toggle toggle-sm"
            checked={soundOnly}
            onChange={(event) => engine.soundOnly(event.currentTarget.checked)}
          />
        </label>
      )}
      {more && <p className="player-hint">{say('player:moreQualities')}</p>}
      <Keys say={say} />
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

function Keys({ say }: { say: Say }) {
  return (
    <details className="player-keys">
      <summary>{say('player:keys')}</summary>
      <dl>
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((key) => (
          <div key={key}>
            <dt>
              <kbd className="kbd">{KEYS[key]}</kbd>
            </dt>
            <dd>{say(`player:keyNames.${key}`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
