import { useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { goTo } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { formatDate } from '#lib/core/shared/locale.ts'
import { localDay } from '#lib/core/shared/zone.ts'
import type { OutlineWords } from './outline/outline-view.ts'

interface Props {
  courseId: string
  title: string
  /** A new run, whose dates move; otherwise a copy as it is. */
  shifts: boolean
  words: OutlineWords
  onClose: () => void
}

interface Dates {
  first: string | null
  count: number
  groups: number
}

const DAY = 86_400_000

/** Copies the course, for a new run with all its dates moved. */
export function RunWindow({ courseId, title, shifts, words, onClose }: Props) {
  const { say, zone } = words
  const [name, setName] = useState(say(shifts ? 'outline:run.name' : 'outline:copyOf', { title }).slice(0, 160))
  const [parts, setParts] = useState({ tasks: true, staff: true, groups: shifts })
  const [dates, setDates] = useState<Dates | null>(null)
  const [start, setStart] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  useEffect(() => {
    void api.course.getDates({ courseId }, { context: { quiet: true } }).then(setDates, () => setDates(null))
  }, [courseId])
  const first = dates?.first ? localDay(new Date(dates.first), zone) : null
  const days = shifts && first && start ? Math.round((Date.parse(start) - Date.parse(first)) / DAY) : 0
  const waits = shifts && first !== null && start === ''

  const copy = async () => {
    if (waits) return setError(say('outline:run.startNeeded'))
    setBusy(true)
    setError('')
    try {
      const asked = { courseId, title: name.trim(), ...parts, groups: shifts && parts.groups, shiftDays: days }
      const made = await api.course.duplicate(asked)
      onClose()
      goTo(`/course/edit/${made.courseId}`)
    } catch (failure) {
      setBusy(false)
      if (failure instanceof CallError && !failure.unexpected) {
        setError(failure.fields.form?.[0] ?? failure.fields.title?.[0] ?? failure.message)
      }
    }
  }
  const part = (key: keyof typeof parts) => ({
    label: say(`outline:run.${key}`),
    checked: parts[key],
    onChange: ({ target }: { target: { checked: boolean } }) => setParts({ ...parts, [key]: target.checked }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={say(shifts ? 'outline:run.title' : 'outline:run.copyTitle')}
      text={say(shifts ? 'outline:run.text' : 'outline:run.copyText')}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" busy={busy} onClick={() => void copy()}>
            {say(shifts ? 'outline:run.submit' : 'outline:run.copySubmit')}
          </Button>
        </>
      )}
    >
      <div className="grid gap-5">
        <Field
          label={say('outline:run.courseTitle')}
          value={name}
          maxLength={160}
          onChange={({ target }) => setName(target.value)}
        />
        {shifts && first && (
          <NewStart
            words={words}
            first={first}
            start={start}
            days={days}
            count={dates?.count ?? 0}
            onChange={setStart}
          />
        )}
        {shifts && dates && !first && <p className="field-hint">{say('outline:run.noDates')}</p>}
        <div className="grid gap-3">
          <Checkbox {...part('tasks')} />
          <Checkbox {...part('staff')} />
          {shifts && (dates?.groups ?? 0) > 0 && <Checkbox {...part('groups')} hint={say('outline:run.groupsHint')} />}
        </div>
        <p className="field-error" role="alert">
          {error}
        </p>
      </div>
    </Dialog>
  )
}

interface Start {
  words: OutlineWords
  first: string
  start: string
  days: number
  count: number
  onChange: (day: string) => void
}

function NewStart({ words: { say, zone, locale }, first, start, days, count, onChange }: Start) {
  const was = say('outline:run.was', { date: formatDate(`${first}T12:00:00Z`, 'UTC', locale) })
  const moved = say('outline:run.moved', { count, days })
  return (
    <Field
      key={zone}
      type="date"
      label={say('outline:run.start')}
      hint={start ? `${was} · ${moved}` : was}
      value={start}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
