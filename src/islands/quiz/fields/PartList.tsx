import { ArrowDown, ArrowUp, Plus, Trash } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { MAX_QUESTION_PARTS } from '#lib/quiz/question/schema.ts'
import { movePart } from '../editor/question-parts.ts'

interface Props<T extends { id: string }> {
  label: string
  hint?: string
  error?: string | undefined
  parts: readonly T[]
  onChange: (parts: T[]) => void
  /** The name of a part with its number. */
  nameOf: (number: number) => string
  addLabel: string
  create: () => T
  /** Replaces the removal when other parts change too. */
  onRemove?: (part: T) => void
  /** Parts whose order is irrelevant cannot be moved. */
  fixedOrder?: boolean
  children: (part: T, index: number, set: (next: T) => void) => ReactNode
  t: Translate
}

/** The parts of a question: added, moved and removed with buttons; the last removal can be undone. */
export function PartList<T extends { id: string }>({
  label,
  hint,
  error,
  parts,
  onChange,
  nameOf,
  addLabel,
  create,
  onRemove,
  fixedOrder = false,
  children,
  t,
}: Props<T>) {
  const [removed, setRemoved] = useState<{ part: T; index: number } | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const pendingFocus = useRef<string | null>(null)
  const errorId = useId()
  useEffect(() => {
    if (!pendingFocus.current) return
    const element = list.current?.querySelector<HTMLElement>(pendingFocus.current)
    if (!element) return
    pendingFocus.current = null
    element.focus()
  })
  const set = (index: number) => (next: T) => onChange(parts.with(index, next))
  const move = (part: T, index: number, direction: -1 | 1) => {
    pendingFocus.current = `[data-part="${part.id}"] [data-part-action="${direction < 0 ? 'up' : 'down'}"]`
    onChange(movePart(parts, index, direction))
  }
  const remove = (part: T, index: number) => {
    setRemoved(onRemove ? null : { part, index })
    if (onRemove) onRemove(part)
    else onChange(parts.filter(({ id }) => id !== part.id))
  }
  const add = () => {
    const part = create()
    pendingFocus.current = `[data-part="${part.id}"] :is(input, textarea, select, button)`
    onChange([...parts, part])
  }
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? errorId : undefined}>
      <legend className="field-label">{label}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      {error && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
      <ol ref={list} className="grid min-w-0 gap-3">
        {parts.map((part, index) => {
          const name = nameOf(index + 1)
          return (
            <li key={part.id} data-part={part.id} className="card-line grid min-w-0 gap-3 p-3">
              <div className="flex items-center justify-between gap-2">
                <span className="font-medium text-sm">{name}</span>
                <span className="flex">
                  {!fixedOrder && (
                    <>
                      <PartButton
                        action="up"
                        label={t('quizeditor:part.up', { name })}
                        disabled={index === 0}
                        onClick={() => move(part, index, -1)}
                      />
                      <PartButton
                        action="down"
                        label={t('quizeditor:part.down', { name })}
                        disabled={index === parts.length - 1}
                        onClick={() => move(part, index, 1)}
                      />
                    </>
                  )}
                  <PartButton
                    action="remove"
                    label={t('quizeditor:part.remove', { name })}
                    onClick={() => remove(part, index)}
                  />
                </span>
              </div>
              {children(part, index, set(index))}
            </li>
          )
        })}
      </ol>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          small
          icon={<Plus size={18} strokeWidth={1.75} aria-hidden="true" />}
          disabled={parts.length >= MAX_QUESTION_PARTS}
          onClick={add}
        >
          {addLabel}
        </Button>
        {removed && (
          <Button
            small
            tone="quiet"
            onClick={() => {
              onChange(parts.toSpliced(removed.index, 0, removed.part))
              setRemoved(null)
            }}
          >
            {t('quizeditor:part.restore')}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const ICONS = { up: ArrowUp, down: ArrowDown, remove: Trash }

interface PartButtonProps {
  action: keyof typeof ICONS
  label: string
  disabled?: boolean
  onClick: () => void
}

function PartButton({ action, label, disabled = false, onClick }: PartButtonProps) {
  const Icon = ICONS[action]
  return (
    <button
      type="button"
      className="btn btn-ghost btn-square btn-sm"
      data-part-action={action}
      aria-label={label}
      title={label}
      // A `disabled` button would lose the focus at the end of the list.
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
