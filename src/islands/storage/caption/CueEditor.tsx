import { Plus } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type DraftHandle, type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import type { ServerText } from '#islands/stores/draft/draft-settings.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'
import type { OfferUndo } from '../UndoBar.tsx'
import type { PlayerHandle } from '../video/player-handle.ts'
import { CueEditorRow } from './CueEditorRow.tsx'
import { findProblem, formatCueTime } from './cue-list.ts'
import { useCueActions } from './use-cue-actions.ts'

interface Props {
  draft: DraftOptions<Cue[]>
  server: ServerCues
  label: string
  duration: number | null
  player: PlayerHandle
  offer: OfferUndo
  locale: Locale
  t: Translate
}

/** The captions on the server: last change, version of the draft, and how to load them. */
interface ServerCues {
  changedAt: string | null
  loadedAt: string | null
  read: () => Promise<ServerText<Cue[]>>
}

/** The cues of one language, saved while they are edited. */
export function CueEditor({ draft: options, server, label, duration, player, offer, locale, t }: Props) {
  const draft = useDraft(options)
  useServerChanges(draft, server)
  const { value: cues, type, flush, state } = draft
  const { shown, reveal, end } = useVisibleCount(cues.length)
  const { list, runAction } = useCueActions({ cues, type, player, offer, reveal, t })
  const saved = state.kind === 'saved' ? state.at : null
  useEffect(() => {
    if (saved !== null) player.refreshCaptions()
  }, [saved, player])

  return (
    <div className="grid gap-2">
      <p className="max-w-prose text-muted text-sm">{t('storage:captions.keys')}</p>
      <div className="sticky -top-4 z-5 flex min-h-6 justify-end">
        <span className="rounded-field bg-base-100 px-2">
          <SaveState state={state} locale={locale} t={t} />
        </span>
      </div>
      {state.kind === 'conflict' && (
        <ConflictChoice mine={plainCues(state.mine)} theirs={plainCues(state.theirs)} onChoose={draft.resolve} t={t} />
      )}
      <ol ref={list} aria-label={label}>
        {cues
          .slice(0, shown)
          .map(withIndex)
          .map(({ cue, index }) => (
            <CueEditorRow
              key={index}
              index={index}
              cue={cue}
              last={index === cues.length - 1}
              problem={findProblem(cue, duration)}
              duration={duration}
              onAction={runAction}
              onBlur={flush}
              t={t}
            />
          ))}
      </ol>
      {shown < cues.length && <div ref={end} className="h-24" />}
      <Button
        small
        className="justify-self-start"
        icon={<Plus size={18} aria-hidden="true" />}
        onClick={() => runAction(cues.length - 1, { kind: 'add' })}
      >
        {t('storage:captions.add')}
      </Button>
    </div>
  )
}

/** Merges changes of other authors. The editor keeps its text and undo; its own saves are ignored. */
function useServerChanges({ refresh }: DraftHandle<Cue[]>, { changedAt, loadedAt, read }: ServerCues) {
  const known = useRef(loadedAt)
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    if (known.current === changedAt) return
    known.current = changedAt
    // On failure nothing is shown: the next save reports a conflict.
    refresh(() => latest.current()).catch(() => undefined)
  }, [changedAt, refresh])
}

// A lecture has a thousand captions: more are rendered when scrolled near.
const BATCH_SIZE = 60

function useVisibleCount(length: number) {
  const [shown, setShown] = useState(BATCH_SIZE)
  const end = useRef<HTMLDivElement>(null)
  const reveal = useCallback((index: number) => setShown((before) => Math.max(before, index + 1)), [])
  useEffect(() => {
    const { current: mark } = end
    if (!mark || shown >= length) return
    const grow = (entries: IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setShown(shown + BATCH_SIZE)
    }
    const watch = new IntersectionObserver(grow, { rootMargin: '600px' })
    watch.observe(mark)
    return () => watch.disconnect()
  }, [shown, length])
  return { shown, reveal, end }
}

// Cues have no ids: the index is the key.
const withIndex = (cue: Cue, index: number) => ({ cue, index })

const plainCues = (cues: readonly Cue[]): string =>
  cues.map(({ start, end, text }) => `${formatCueTime(start)} – ${formatCueTime(end)}\n${text}`).join('\n\n')
