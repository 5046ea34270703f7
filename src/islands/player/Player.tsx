import { type ComponentType, useEffect, useState } from 'react'
import { speak } from '#lib/core/shared/text/strings.ts'
import { Idle } from './Idle.tsx'
import { loadLive } from './load.ts'
import type { PlayerProps } from './player-props.ts'
import { isPlayable } from './view.ts'
import './player.css'

type Live = ComponentType<Omit<PlayerProps, 'begins'>>

/** A video or a sound of the storage. Until somebody wants to play it, it is a picture and a button. */
export default function Player({ begins = false, ...props }: PlayerProps) {
  const [live, setLive] = useState<{ Live: Live } | null>(null)
  // What is being made has nothing to press: it looks by itself whether it is there.
  const [wanted, setWanted] = useState(begins || !isPlayable(props.view))
  const streams = props.view.hls !== null
  useEffect(() => {
    if (!wanted) return
    loadLive(streams).then(
      (Live) => setLive({ Live }),
      () => setWanted(false),
    )
  }, [wanted, streams])

  if (live) return <live.Live {...props} />
  const say = speak(props.strings, props.locale)
  return <Idle view={props.view} say={say} coming={wanted} onStart={() => setWanted(true)} />
}
