import { Play, Plus, Timer, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useDraft } from '#islands/stores/draft/draft.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { formatCueTime } from '../caption/cue-list.ts'
import { TimeField } from '../caption/TimeField.tsx'
import type { EditorProps } from './editor-props.ts'
import type { PlayerHandle } from './player-handle.ts'
import type { EditedChapter } from './use-video-editor.ts'
import { createChapterDraft, findChapterProblem } from './video-drafts.ts'

/** Gap before a new chapter, in seconds. */
const CHAPTER_GAP_SECONDS = 60

/** Edits the chapters. */
export function ChaptersEditor({
  video,
  owner,
  locale,
  player,
  offerUndo: offer,
  t,
}: EditorProps & { player: PlayerHandle }) {
  const draft = useDraft(createChapterDraft({ fileId: video.id, owner, title: video.name, t }, video))
  const { value: marks, type, flush, state, resolve } = draft
  const latest = useRef(marks)
  latest.current = marks
  const change = (index: number, mark: Partial<EditedChapter>) =>
    type(marks.map((chapter, at) => (at === index ? { ...chapter, ...mark } : chapter)))
  const add = (at: number) => type([...marks, { at: Math.round(at * 10) / 10, title: '' }].sort(byTime))
  const remove = (index: number) => {
    const gone = marks.slice(index, index + 1)
    type(marks.toSpliced(index, 1))
    offer(t('storage:chapters.removed'), () => type([...latest.current, ...gone].sort(byTime)))
  }

  return (
    <div className="grid gap-3">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <p className="max-w-prose text-muted text-sm">{t('storage:chapters.hint')}</p>
        <SaveState state={state} locale={locale} t={t} />
      </div>
      {state.kind === 'conflict' && (
        <ConflictChoice
          mine={plainChapters(state.mine)}
          theirs={plainChapters(state.theirs)}
          onChoose={resolve}
          t={t}
        />
      )}
      {marks.length === 0 && <p className="text-muted">{t('storage:chapters.empty')}</p>}
      <ol aria-label={t('storage:chapters.label')} className="grid gap-2">
        {marks.map(withIndex).map(({ mark, index }) => {
          const problem = findChapterProblem(mark, marks, video.duration)
          const end = formatCueTime(video.duration ?? 0)
          const number = index + 1
          return (
            <li key={index} className="flex flex-wrap items-start gap-2">
              <TimeField
                label={t('storage:chapters.at', { number })}
                value={mark.at}
                onChange={(at) => change(index, { at })}
                onBlur={flush}
                error={problem ? t(`storage:chapters.${problem}`, { end }) : undefined}
                formatError={t('storage:captions.timeWrong')}
              />
              <input
                className="input input-sm min-w-40 flex-1"
                aria-label={t('storage:chapters.title', { number })}
                placeholder={t('storage:chapters.titleShort')}
                maxLength={120}
                value={mark.title}
                onChange={(event) => change(index, { title: event.target.value })}
                onBlur={flush}
              />
              <span className="flex">
                <IconButton
                  icon={Play}
                  label={t('storage:chapters.play', { number })}
                  onClick={() => player.playFrom(mark.at)}
                />
                <IconButton
                  icon={Trash2}
                  label={t('storage:chapters.remove', { number })}
                  onClick={() => remove(index)}
                />
              </span>
              {problem && (
                <p className="field-error w-full" aria-hidden="true">
                  {t(`storage:chapters.${problem}`, { end })}
                </p>
              )}
            </li>
          )
        })}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button
          small
          icon={<Plus size={18} aria-hidden="true" />}
          onClick={() => add(marks.length === 0 ? 0 : (marks.at(-1)?.at ?? 0) + CHAPTER_GAP_SECONDS)}
        >
          {t('storage:chapters.add')}
        </Button>
        <Button
          small
          tone="quiet"
          icon={<Timer size={18} aria-hidden="true" />}
          onClick={() => add(player.currentSeconds() ?? 0)}
        >
          {t('storage:chapters.addHere')}
        </Button>
      </div>
    </div>
  )
}

const byTime = (a: EditedChapter, b: EditedChapter): number => a.at - b.at
const withIndex = (mark: EditedChapter, index: number) => ({ mark, index })
const plainChapters = (marks: readonly EditedChapter[]): string =>
  marks.map(({ at, title }) => `${formatCueTime(at)} ${title}`).join('\n')
