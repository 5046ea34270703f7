import { Plus } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { parseTitles } from './outline-view.ts'

interface Props {
  t: Translate
  /** Null: adds a module. */
  moduleId: string | null
  open: boolean
  refused: { typed: string; error: string } | null
  /** Resolves to whether they were added; without it the form is submitted normally. */
  onAdd: ((titles: string[]) => Promise<boolean>) | null
}

/** Adds a module, or one lesson per line; the field stays for more titles. */
export function AddForm({ t, moduleId, open, refused, onAdd }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const opensInitially = useRef(open || refused !== null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(refused?.error)
  const kind = moduleId ? ('Lesson' as const) : ('Module' as const)
  const id = `add-${moduleId ?? 'module'}`

  const submit = async (event: FormEvent) => {
    if (!onAdd || !field.current) return
    event.preventDefault()
    if (busy) return
    const titles = parseTitles(field.current.value)
    if (titles.length === 0) {
      setError(t('outline:titleNeeded'))
      field.current.focus()
      return
    }
    setBusy(true)
    setError(undefined)
    const isAdded = await onAdd(moduleId ? titles.slice(0, 100) : titles.slice(0, 1))
    setBusy(false)
    if (!field.current) return
    if (isAdded) field.current.value = titles.slice(moduleId ? 100 : 1).join('\n')
    field.current.focus()
  }
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    event.stopPropagation()
    const insertsBreak = event.shiftKey || event.nativeEvent.isComposing
    if (event.key !== 'Enter' || insertsBreak) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  const note = error ? `${id}-error` : moduleId ? `${id}-hint` : undefined
  return (
    <details
      className="outline-add"
      id={`${id}-fold`}
      open={open || refused !== null || undefined}
      onToggle={({ currentTarget }) => {
        // Focuses the field only on a click, not when the form is open initially.
        if (currentTarget.open && !opensInitially.current) field.current?.focus()
        opensInitially.current = false
      }}
    >
      <summary className="btn btn-ghost btn-sm">
        <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
        {t(`outline:add${kind}`)}
      </summary>
      <form method="post" className="mt-2 grid gap-2" noValidate onSubmit={(event) => void submit(event)}>
        <input type="hidden" name="intent" value={moduleId ? 'addLessons' : 'addModule'} />
        {moduleId && <input type="hidden" name="moduleId" value={moduleId} />}
        <label htmlFor={id} className="field-label">
          {t(moduleId ? 'outline:lessonTitle' : 'outline:moduleTitle')}
        </label>
        <div className="flex items-start gap-2">
          <textarea
            ref={field}
            id={id}
            name="title"
            rows={1}
            className="textarea textarea-sm outline-field min-h-8"
            defaultValue={refused?.typed}
            aria-invalid={error ? true : undefined}
            aria-describedby={note}
            onInput={() => setError(undefined)}
            onKeyDown={onKey}
          />
          <Button type="submit" small busy={busy}>
            {t(`outline:add${kind}`)}
          </Button>
        </div>
        {error ? (
          <p id={`${id}-error`} className="field-error">
            {error}
          </p>
        ) : (
          moduleId && (
            <p id={`${id}-hint`} className="field-hint">
              {t('outline:manyHint')}
            </p>
          )
        )}
      </form>
    </details>
  )
}
