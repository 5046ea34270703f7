import { Combine, Play, Plus, Scissors, Timer, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo, useRef } from 'react'
import { IconButton } from '#islands/ui/IconButton.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Cue } from '#lib/core/shared/text/webvtt.ts'
import { type CueProblem, formatCueTime } from './cue-list.ts'
import { TimeField } from './TimeField.tsx'
import type { CueAction } from './use-cue-actions.ts'

interface Props {
  index: number
  cue: Cue
  last: boolean
  problem: CueProblem | null
  /** Duration of the video in seconds. */
  duration: number | null
  onAction: (index: number, action: CueAction) => void
  onBlur: () => void
  t: Translate
}

/** One cue: times and text. Memoised, because a lecture has a thousand of them. */
export const CueEditorRow = memo(function CueEditorRow({
  index,
  cue,
  last,
  problem,
  duration,
  onAction,
  onBlur,
  t,
}: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const number = index + 1
  const error = problem ? t(`storage:captions.${problem}`, { end: formatCueTime(duration ?? 0) }) : undefined
  const times = { onBlur, error, formatError: t('storage:captions.timeWrong') }
  const split = () => onAction(index, { kind: 'split', caret: area.current?.selectionStart ?? cue.text.length })
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart: from, selectionEnd: to } = event.currentTarget
    const done = keyAction(event, from === 0 && to === 0 && index > 0)
    if (!done) return
    event.preventDefault()
    if (done === 'split') split()
    else if (done === 'join') onAction(index - 1, { kind: 'join' })
    else onAction(index, { kind: done })
  }
  return (
    <li
      data-cue={index}
      className="-mx-1 grid gap-2 border-base-300 border-t px-1 py-3 [contain-intrinsic-size:auto_7rem] [content-visibility:auto] @md:grid-cols-[1fr_auto]"
    >
      <div className="flex flex-wrap items-center gap-1">
        <span className="w-8 text-muted text-sm tabular-nums" aria-hidden="true">
          {number}
        </span>
        <TimeField
          {...times}
          label={t('storage:captions.start', { number })}
          value={cue.start}
          onChange={(start) => onAction(index, { kind: 'change', change: { start } })}
        />
        <span aria-hidden="true">–</span>
        <TimeField
          {...times}
          label={t('storage:captions.end', { number })}
          value={cue.end}
          onChange={(end) => onAction(index, { kind: 'change', change: { end } })}
        />
        {error && (
          <p className="field-error w-full" aria-hidden="true">
            {error}
          </p>
        )}
      </div>
      <textarea
        ref={area}
        className="textarea textarea-sm min-h-16 w-full @md:col-span-2"
        rows={2}
        aria-label={t('storage:captions.text', { number })}
        value={cue.text}
        onChange={(event) => onAction(index, { kind: 'change', change: { text: event.target.value } })}
        onKeyDown={press}
        onBlur={onBlur}
      />
      <div className="flex flex-wrap @md:col-start-2 @md:row-start-1">
        <IconButton
          icon={Play}
          label={t('storage:captions.playOf', { number })}
          onClick={() => onAction(index, { kind: 'play' })}
        />
        <IconButton
          icon={Timer}
          label={t('storage:captions.hereOf', { number })}
          onClick={() => onAction(index, { kind: 'here' })}
        />
        <IconButton icon={Scissors} label={t('storage:captions.splitOf', { number })} onClick={split} />
        <IconButton
          icon={Combine}
          label={t('storage:captions.joinOf', { number })}
          disabled={last}
          onClick={() => onAction(index, { kind: 'join' })}
        />
        <IconButton
          icon={Plus}
          label={t('storage:captions.addAfter', { number })}
          onClick={() => onAction(index, { kind: 'add' })}
        />
        <IconButton
          icon={Trash2}
          label={t('storage:captions.dropOf', { number })}
          onClick={() => onAction(index, { kind: 'drop' })}
        />
      </div>
    </li>
  )
})

function keyAction(event: KeyboardEvent, atStart: boolean): 'split' | 'join' | 'play' | 'up' | 'down' | null {
  const { key, altKey } = event
  if (key === 'Enter' && (event.ctrlKey || event.metaKey)) return 'split'
  if (key === 'Enter' && altKey) return 'play'
  if (key === 'ArrowUp' && altKey) return 'up'
  if (key === 'ArrowDown' && altKey) return 'down'
  return key === 'Backspace' && atStart ? 'join' : null
}
