import { type ComponentType, useEffect, useState } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type Strings, speak } from '#lib/core/shared/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { Idle } from './Idle.tsx'
import { loadLive } from './load.ts'
import { isPlayable } from './view.ts'
import './player.css'

export interface PlayerProps {
  view: PlaybackView
  /** The namespace `player`. */
  strings: Strings
  locale: Locale
  /** When the view was made, in milliseconds since 1970; now, unless it came with the page. */
  since?: number
  /** What was not seen yet can't be jumped to. */
  straight?: boolean
  /** Plays as soon as it can. */
  begins?: boolean
}

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
