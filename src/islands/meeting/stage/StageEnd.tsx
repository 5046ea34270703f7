import { useEffect } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { finishedPath } from '../room-paths.ts'
import { useTranslation } from '../translation.ts'

/** Shown after the end. Viewers are sent to the page after the event, unless they have unsent text. */
export function StageEnd({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { text, image } = view.workshop.splash.after
  const path = finishedPath(view)
  const isStaff = hasRight(view.me.role, 'moderate')
  // The people of a session may continue it; they choose where to go.
  const staysHere = isStaff || Boolean(view.mentoring)
  useEffect(() => {
    if (!staysHere && !hasUnsentText()) location.replace(path)
  }, [staysHere, path])
  return (
    <div className="stage-over" data-solid="" role="status">
      {image && <img className="stage-splash" src={image} alt="" />}
      <p className="text-xl font-semibold">{t('stage:end.title')}</p>
      {text && <p className="max-w-prose whitespace-pre-line">{text}</p>}
      <p className="flex flex-wrap justify-center gap-2">
        {view.mentoring && (
          <a className="btn" href={`${path}&room=open`}>
            {t('stage:consent.return')}
          </a>
        )}
        <a className="btn btn-primary" href={path}>
          {t('stage:end.go')}
        </a>
      </p>
    </div>
  )
}

const hasUnsentText = (): boolean =>
  [...document.querySelectorAll<HTMLTextAreaElement>('[data-room] textarea')].some(({ value }) => value.trim() !== '')
