import { useCallback, useEffect, useRef } from 'react'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'
import type { OfferUndo } from '../UndoBar.tsx'
import type { PlayerHandle } from '../video/player-handle.ts'
import { addCue, changeCue, joinCues, splitCue, startAt } from './cue-list.ts'

export type CueAction =
  | { kind: 'change'; change: Partial<Cue> }
  | { kind: 'split'; caret: number }
  | { kind: 'join' | 'add' | 'drop' | 'play' | 'here' | 'up' | 'down' }

interface CueActionOptions {
  cues: readonly Cue[]
  type: (cues: Cue[]) => void
  player: PlayerHandle
  offer: OfferUndo
  /** Renders the list at least to this index. */
  reveal: (index: number) => void
  t: Translate
}

/** Actions on a cue, and the cursor position after them. The function is stable, so that rows stay memoised. */
export function useCueActions(parts: CueActionOptions) {
  const latest = useRef(parts)
  latest.current = parts
  const list = useRef<HTMLOListElement>(null)
  // Cursor position after the next render.
  const next = useRef<{ index: number; caret: number } | null>(null)

  useEffect(() => {
    if (!next.current) return
    const { index, caret } = next.current
    next.current = null
    focusCue(list.current, index, caret)
  })

  const runAction = useCallback((index: number, action: CueAction) => {
    const { cues, type, player, offer, t } = latest.current
    const cue = cues[index]
    const go = (at: number, caret = 0) => {
      next.current = { index: at, caret }
      latest.current.reveal(at)
    }
    const change = (nextCues: Cue[]) => {
      latest.current = { ...latest.current, cues: nextCues }
      type(nextCues)
    }
    switch (action.kind) {
      case 'change':
        return change(changeCue(cues, index, action.change))
      case 'split':
        go(index + 1)
        return change(splitCue(cues, index, action.caret))
      case 'join':
        go(index, (cue?.text.length ?? 0) + 1)
        return change(joinCues(cues, index))
      case 'add':
        go(index + 1)
        return change(addCue(cues, index, index === -1 ? (player.currentSeconds() ?? 0) : undefined))
      case 'drop':
        go(Math.min(index, cues.length - 2))
        change(cues.toSpliced(index, 1))
        if (cue) offer(t('storage:captions.dropped'), () => restoreCue(latest.current, index, cue))
        return
      case 'play':
        return player.playFrom(cue?.start ?? 0)
      case 'here': {
        const now = player.currentSeconds()
        return now === null ? player.playFrom(cue?.start ?? 0) : change(startAt(cues, index, now))
      }
      case 'up':
        focusCue(list.current, index - 1, 0)
        return
      case 'down':
        // A row that is not rendered yet gets the cursor afterwards.
        if (!focusCue(list.current, index + 1, 0) && index + 1 < cues.length) go(index + 1)
        return
    }
  }, [])

  return { list, runAction }
}

function restoreCue({ cues, type }: CueActionOptions, index: number, cue: Cue): void {
  type(cues.toSpliced(index, 0, cue))
}

function focusCue(list: HTMLElement | null, index: number, caret: number): boolean {
  const area = list?.querySelector<HTMLTextAreaElement>(`[data-cue="${index}"] textarea`)
  area?.focus()
  area?.setSelectionRange(caret, caret)
  return area !== null && area !== undefined
}
