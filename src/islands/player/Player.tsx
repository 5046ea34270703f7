import { type ComponentType, useEffect, useState } from 'react'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { loadLivePlayer } from './load-player.ts'
import { PlayerPoster } from './PlayerPoster.tsx'
import type { PlayerProps } from './player-props.ts'
import { isPlayable } from './view.ts'
import './player.css'

type Live = ComponentType<Omit<PlayerProps, 'autoPlay'>>

/** A video or audio file of the storage. Until playback is requested, it consists of a poster and a button. */
export default function Player({ autoPlay = false, ...props }: PlayerProps) {
  const [live, setLive] = useState<{ Live: Live } | null>(null)
  // Media that is being encoded needs no click: the player checks its state itself.
  const [isRequested, setIsRequested] = useState(autoPlay || !isPlayable(props.view))
  const usesHls = props.view.hls !== null
  useEffect(() => {
    if (!isRequested) return
    loadLivePlayer(usesHls).then(
      (Live) => setLive({ Live }),
      () => setIsRequested(false),
    )
  }, [isRequested, usesHls])

  if (live) return <live.Live {...props} />
  const t = createTranslator(props.strings, props.locale)
  return <PlayerPoster view={props.view} t={t} isLoading={isRequested} onStart={() => setIsRequested(true)} />
}
