import { Plus } from 'lucide-react'
import { useEffect } from 'react'
import { type DraftOptions, useDraft } from '#islands/stores/draft.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/strings.ts'
import type { Cue } from '#lib/core/shared/webvtt.ts'
import { CueRow } from './CueRow.tsx'
import { useCueActs } from './cue-acts.ts'
import { problemOf, shortStamp } from './cue-list.ts'
import type { FilmHandle } from './film-handle.ts'
import type { Offer } from './UndoBar.tsx'

interface Props {
  draft: DraftOptions<Cue[]>
  label: string
  duration: number | null
  film: FilmHandle
  offer: Offer
  locale: Locale
  say: Say
}

/** The captions of one language, kept as they are typed. */
export function CueEditor({ draft: options, label, duration, film, offer, locale, say }: Props) {
  const draft = useDraft(options)
  const { value: cues, type, flush, state } = draft
  const { list, act } = useCueActs({ cues, type, film, offer, say })
  const saved = state.kind === 'saved' ? state.at : null
  useEffect(() => {
    if (saved !== null) film.refreshCaptions()
  }, [saved, film])

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <p className="max-w-prose text-muted text-sm">{say('storage:captions.keys')}</p>
        <SaveState state={state} locale={locale} say={say} />
      </div>
      {state.kind === 'conflict' && (
        <ConflictChoice mine={plain(state.mine)} theirs={plain(state.theirs)} onChoose={draft.resolve} say={say} />
      )}
      <ol ref={list} aria-label={label}>
        {cues.map(inPlace).map(({ cue, index }) => (
          <CueRow
            key={index}
            index={index}
            cue={cue}
            last={index === cues.length - 1}
            problem={problemOf(cue, duration)}
            duration={duration}
            act={act}
            onBlur={flush}
            say={say}
          />
        ))}
      </ol>
      <Button
        small
        className="justify-self-start"
        icon={<Plus size={18} aria-hidden="true" />}
        onClick={() => act(cues.length - 1, { kind: 'add' })}
      >
        {say('storage:captions.add')}
      </Button>
    </div>
  )
}

// Captions have no names of their own: their place is what they are known by.
const inPlace = (cue: Cue, index: number) => ({ cue, index })

const plain = (cues: readonly Cue[]): string =>
  cues.map(({ start, end, text }) => `${shortStamp(start)} – ${shortStamp(end)}\n${text}`).join('\n\n')
