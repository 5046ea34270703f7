import './auto.css'
import { Pause, Play, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { roomApi, setAutoView } from '../room.ts'

interface Props {
  view: AutoView
  t: Translate
}

/** Notices of an automated event over the whole stage: next to slides the video is too small for them. */
export function AutoLine({ view, t }: Props) {
  const { disclosure, watchedBefore } = view
  return (
    <div className="auto-line">
      {disclosure.label && (
        <p className="auto-label">
          <span>{t('autowebinar:room.label')}</span> {t('autowebinar:room.answers', { count: disclosure.answerHours })}
        </p>
      )}
      {watchedBefore !== null && (
        <p className="auto-label">{t('autowebinar:room.watched', { count: watchedBefore })}</p>
      )}
      {view.phase === 'playing' && <PlaybackControls view={view} t={t} />}
    </div>
  )
}

/** Pause, resume and restart, for events whose settings allow a viewer to control the playback. */
function PlaybackControls({ view, t }: Props) {
  const [busy, setBusy] = useState(false)
  if (!view.mayPause && !view.mayRestart) return null
  const paused = view.pausedAtMs !== null
  const control = async (action: 'restart' | 'pause' | 'resume') => {
    setBusy(true)
    try {
      setAutoView(await roomApi.clockAuto({ action }))
    } finally {
      setBusy(false)
    }
  }
  const Icon = paused ? Play : Pause
  return (
    <p className="auto-clock">
      {view.mayPause && (
        <button type="button" disabled={busy} onClick={() => void control(paused ? 'resume' : 'pause')}>
          <Icon size={16} aria-hidden="true" /> {t(paused ? 'autowebinar:room.resume' : 'autowebinar:room.pause')}
        </button>
      )}
      {view.mayRestart && (
        <button type="button" disabled={busy} onClick={() => void control('restart')}>
          <RotateCcw size={16} aria-hidden="true" /> {t('autowebinar:room.restart')}
        </button>
      )}
    </p>
  )
}
