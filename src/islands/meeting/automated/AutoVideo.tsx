import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useEffect, useRef, useState } from 'react'
import type { StreamPlayer } from '#islands/broadcast/stream-player.ts'
import type { AutoView } from '#lib/autowebinar/auto-view-schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { addSound } from '../devices/stage-sound.ts'
import { $pollTally, playScriptEvents, roomApi, roomNow, setAutoView } from '../room.ts'
import { type AutoPlayer, startAutoPlayer } from './auto-player.ts'

/** The player adds the caption tracks itself, so the linter must not require one here. */
const VideoElement = 'video'

interface Props {
  view: AutoView
  t: Translate
}

/** The video of an automated event session on the stage, played by the server's clock, with the notices it needs. */
export function AutoVideo({ view, t }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const [player, setPlayer] = useState<AutoPlayer | null>(null)
  const initialView = useRef(view)
  useEffect(() => {
    if (!video.current) return
    const started = startAutoPlayer(video.current, initialView.current, {
      now: roomNow,
      loadView: () => roomApi.getAuto(),
      playEvents: playWithTally,
      setView: (next) => setAutoView(withFinishedPhase(next)),
    })
    const removeSound = addSound(video.current, subscriberOf(started))
    setPlayer(started)
    return () => {
      removeSound()
      started.stop()
    }
  }, [])
  useEffect(() => player?.applyView(view), [player, view])
  const captions = JSON.stringify(view.video?.captions.map(({ lang }) => lang) ?? [])
  useEffect(() => {
    const tracks = (captions === '[]' ? [] : (initialView.current.video?.captions ?? [])).map(({ lang, src }) => {
      const track = Object.assign(document.createElement('track'), { kind: 'captions', srclang: lang, src })
      track.label = t(`autowebinar:room.captions.${lang}`)
      return track
    })
    video.current?.replaceChildren(...tracks)
  }, [captions, t])
  return (
    <>
      <VideoElement ref={video} playsInline poster={view.video?.poster ?? undefined} data-auto-video="" />
      {!view.video && view.phase === 'playing' && (
        <p className="tile-state" role="status">
          {t(view.videoProblem === 'missing' ? 'autowebinar:room.missingVideo' : 'autowebinar:room.noVideo')}
        </p>
      )}
      {player && <BufferingState player={player} t={t} />}
    </>
  )
}

function BufferingState({ player, t }: { player: AutoPlayer; t: Translate }) {
  const isBuffering = useStore(player.$isBuffering)
  return isBuffering ? (
    <p className="tile-state" role="status">
      {t('autowebinar:room.loading')}
    </p>
  ) : null
}

// A poll of the script closes with the votes of the viewers of this session.
function playWithTally(events: readonly RoomEvent[]): void {
  const tally = $pollTally.get()
  const eventsWithTally = events.map((event) =>
    event.type === 'poll.close' && event.payload.voters === 0 && event.payload.pollId === tally?.pollId
      ? { ...event, payload: tally }
      : event,
  )
  playScriptEvents(eventsWithTally)
}

// Viewers with their own start times may still be watching: the event log ends with the last of them, this page with
// its video.
const withFinishedPhase = (view: AutoView): AutoView =>
  view.phase === 'over' ? { ...view, state: { ...view.state, phase: 'finished' } } : view

/** Adapts the player to the interface of a subscriber, for the volume control of the room. */
function subscriberOf({ $isSoundBlocked, unmute, stop }: AutoPlayer): StreamPlayer {
  return {
    $mode: atom('hls' as const),
    $state: atom('playing' as const),
    $latencySeconds: atom(null),
    $sample: atom(null),
    $isAutoplayBlocked: $isSoundBlocked,
    unmute,
    stop,
    reconnect: () => {},
    setAudioOnly: () => {},
    tryVideo: async () => true,
  }
}
