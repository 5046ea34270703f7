import { useEffect } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { finishedPath } from '../leave.ts'
import { useWords } from './stage-words.ts'

/** The event is over. Viewers go on to the page after it, unless something half written would be lost with this one. */
export function StageEnd({ view }: { view: RoomView }) {
  const { say } = useWords()
  const { text, image } = view.workshop.splash.after
  const path = finishedPath(view)
  const viewer = view.me.role === 'viewer'
  useEffect(() => {
    if (viewer && !writes()) location.replace(path)
  }, [viewer, path])
  return (
    <div className="stage-over" data-solid="" role="status">
      {image && <img className="stage-splash" src={image} alt="" />}
      <p className="text-xl font-semibold">{say('stage:end.title')}</p>
      {text && <p className="max-w-prose whitespace-pre-line">{text}</p>}
      <a className="btn btn-primary" href={path}>
        {say('stage:end.go')}
      </a>
    </div>
  )
}

const writes = (): boolean =>
  [...document.querySelectorAll<HTMLTextAreaElement>('[data-room] textarea')].some(({ value }) => value.trim() !== '')
