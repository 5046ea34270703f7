import './auto.css'
import { useStore } from '@nanostores/react'
import { Pause, Play, RotateCcw } from 'lucide-react'
import { atom } from 'nanostores'
import { useEffect, useRef, useState } from 'react'
import type { Watcher } from '#islands/broadcast/watcher.ts'
import type { AutoView } from '#lib/autowebinar/play-schema.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { hear } from '../devices/stage-sound.ts'
import { $tally, act, now, playEvents, setAuto } from '../room.ts'
import { runShowing, type Showing } from './auto-run.ts'

/** Its captions come with the film, not with the page. */
const Film = 'video'

interface Props {
  view: AutoView
  say: Say
}

/** The film of a showing on the stage, by the server's clock, and what is honest to say of it. */
export function AutoFilm({ view, say }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const [showing, setShowing] = useState<Showing | null>(null)
  const first = useRef(view)
  useEffect(() => {
    if (!video.current) return
    const around = { now, read: () => act.getAuto(), play, set: (next: AutoView) => setAuto(ended(next)) }
    const running = runShowing(video.current, first.current, around)
    const silence = hear(video.current, heard(running))
    setShowing(running)
    return () => {
      silence()
      running.stop()
    }
  }, [])
  useEffect(() => showing?.take(view), [showing, view])
  const captions = JSON.stringify(view.film?.captions.map(({ lang }) => lang) ?? [])
  useEffect(() => {
    const tracks = (captions === '[]' ? [] : (first.current.film?.captions ?? [])).map(({ lang, src }) => {
      const track = Object.assign(document.createElement('track'), { kind: 'captions', srclang: lang, src })
      track.label = say(`autowebinar:room.captions.${lang}`)
      return track
    })
    video.current?.replaceChildren(...tracks)
  }, [captions, say])
  const { honest, watchedBefore } = view
  return (
    <>
      <Film ref={video} playsInline poster={view.film?.poster ?? undefined} data-auto-film="" />
      {!view.film && view.phase === 'playing' && (
        <p className="tile-state" role="status">
          {say('autowebinar:room.noFilm')}
        </p>
      )}
      {showing && <FilmState showing={showing} say={say} />}
      <div className="auto-line">
        {honest.label && (
          <p className="auto-label">
            <span>{say('autowebinar:room.label')}</span>{' '}
            {say('autowebinar:room.answers', { count: honest.answerHours })}
          </p>
        )}
        {watchedBefore !== null && (
          <p className="auto-label">{say('autowebinar:room.watched', { count: watchedBefore })}</p>
        )}
        {view.phase === 'playing' && <OwnClock view={view} say={say} />}
      </div>
    </>
  )
}

function FilmState({ showing, say }: { showing: Showing; say: Say }) {
  const waiting = useStore(showing.$waiting)
  return waiting ? (
    <p className="tile-state" role="status">
      {say('autowebinar:room.loading')}
    </p>
  ) : null
}

/** A clock of one's own, where the plan allows it. */
function OwnClock({ view, say }: Props) {
  const [busy, setBusy] = useState(false)
  if (!view.mayPause && !view.mayRestart) return null
  const paused = view.pausedAtMs !== null
  const turn = async (what: 'restart' | 'pause' | 'resume') => {
    setBusy(true)
    try {
      setAuto(await act.clockAuto({ what }))
    } finally {
      setBusy(false)
    }
  }
  const Icon = paused ? Play : Pause
  return (
    <p className="auto-clock">
      {view.mayPause && (
        <button type="button" disabled={busy} onClick={() => void turn(paused ? 'resume' : 'pause')}>
          <Icon size={16} aria-hidden="true" /> {say(paused ? 'autowebinar:room.resume' : 'autowebinar:room.pause')}
        </button>
      )}
      {view.mayRestart && (
        <button type="button" disabled={busy} onClick={() => void turn('restart')}>
          <RotateCcw size={16} aria-hidden="true" /> {say('autowebinar:room.restart')}
        </button>
      )}
    </p>
  )
}

// What people here have voted is what a poll of the script closes with.
function play(events: readonly RoomEvent[]): void {
  const tally = $tally.get()
  const counted = events.map((event) =>
    event.type === 'poll.close' && event.payload.voters === 0 && event.payload.pollId === tally?.pollId
      ? { ...event, payload: tally }
      : event,
  )
  playEvents(counted)
}

// Others may watch on by clocks of their own: the log ends with the last of them, this page with the film.
const ended = (view: AutoView): AutoView =>
  view.phase === 'over' ? { ...view, state: { ...view.state, phase: 'finished' } } : view

/** The film as the room's loudspeaker knows what sounds on the stage. */
function heard({ $blocked, unmute, stop }: Showing): Watcher {
  return {
    $how: atom('hls' as const),
    $state: atom('playing' as const),
    $behind: atom(null),
    $sample: atom(null),
    $blocked,
    unmute,
    stop,
    again: () => {},
    setAudioOnly: () => {},
    tryPicture: async () => true,
  }
}
