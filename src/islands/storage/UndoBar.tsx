import { useCallback, useEffect, useState } from 'react'
import { UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** Announces a deletion and offers undo for ten seconds. */
export type OfferUndo = (text: string, undo: () => void) => void

interface UndoOffer {
  text: string
  undo: () => void
}

/** Undo is shown inside the editor, because a modal dialog blocks the page's toasts. */
export function useUndo() {
  const [offered, setOffered] = useState<UndoOffer | null>(null)
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (!offered || isPaused) return
    const timer = setTimeout(() => setOffered(null), UNDO_NOTICE_MS)
    return () => clearTimeout(timer)
  }, [offered, isPaused])
  const offer: OfferUndo = useCallback((text, undo) => setOffered({ text, undo }), [])
  return { offer, bar: { offered, hold: setPaused, close: () => setOffered(null) } }
}

interface Props {
  bar: ReturnType<typeof useUndo>['bar']
  t: Translate
}

export function UndoBar({ bar: { offered, hold, close }, t }: Props) {
  return (
    <div
      role="status"
      className="pointer-events-none sticky bottom-2 z-10 grid justify-items-center"
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      {offered && (
        <div className="floating pointer-events-auto flex max-w-full flex-wrap items-center gap-3 px-4 py-2">
          <span className="min-w-0">{offered.text}</span>
          <Button
            small
            onClick={() => {
              close()
              hold(false)
              offered.undo()
            }}
          >
            {t('storage:captions.undo')}
          </Button>
        </div>
      )}
    </div>
  )
}
