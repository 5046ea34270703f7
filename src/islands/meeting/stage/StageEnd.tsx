import { useEffect } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { finishedPath } from '../room-paths.ts'
import { useTranslation } from '../translation.ts'

/** Shown after the end. Viewers are sent to the page after the event, unless they have unsent text. */
export function StageEnd({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { text, image } = view.workshop.splash.after
  const path = finishedPath(view)
  const isViewer = view.me.role === 'viewer'
  useEffect(() => {
    if (isViewer && !hasUnsentText()) location.replace(path)
  }, [isViewer, path])
  return (
    <div className="stage-over" data-solid="" role="status">
      {image && <img className="stage-splash" src={image} alt="" />}
      <p className="text-xl font-semibold">{t('stage:end.title')}</p>
      {text && <p className="max-w-prose whitespace-pre-line">{text}</p>}
      <a className="btn btn-primary" href={path}>
        {t('stage:end.go')}
      </a>
    </div>
  )
}

const hasUnsentText = (): boolean =>
  [...document.querySelectorAll<HTMLTextAreaElement>('[data-room] textarea')].some(({ value }) => value.trim() !== '')
