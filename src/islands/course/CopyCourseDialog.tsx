import { useEffect, useState } from 'react'
import { DateField } from '#islands/field/DateField.tsx'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { formatDate } from '#lib/core/shared/locale.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import type { OutlineContext } from './outline/outline-view.ts'

interface Props {
  courseId: string
  title: string
  /** A new run, whose dates are moved; otherwise an exact copy. */
  isNewRun: boolean
  context: OutlineContext
  onClose: () => void
}

interface Dates {
  first: string | null
  count: number
  groups: number
}

/** Copies the course, for a new run with all its dates moved. */
export function CopyCourseDialog({ courseId, title, isNewRun, context, onClose }: Props) {
  const { t, zone } = context
  const [name, setName] = useState(t(isNewRun ? 'outline:cohort.name' : 'outline:copyOf', { title }).slice(0, 160))
  const [parts, setParts] = useState({ tasks: true, tests: true, staff: true, groups: isNewRun })
  const [dates, setDates] = useState<Dates | null>(null)
  const [start, setStart] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  useEffect(() => {
    void api.course.getDates({ courseId }, { context: { isQuiet: true } }).then(setDates, () => setDates(null))
  }, [courseId])
  const first = dates?.first ? localDay(new Date(dates.first), zone) : null
  const shiftDays = isNewRun && first && start ? Math.round((Date.parse(start) - Date.parse(first)) / DAY_MS) : 0
  const needsStart = isNewRun && first !== null && start === ''

  const copyCourse = async () => {
    if (needsStart) return setError(t('outline:cohort.startNeeded'))
    setBusy(true)
    setError('')
    try {
      const input = { courseId, title: name.trim(), ...parts, groups: isNewRun && parts.groups, shiftDays: shiftDays }
      const created = await api.course.duplicate(input)
      onClose()
      navigateTo(`/course/edit/${created.courseId}`)
    } catch (failure) {
      setBusy(false)
      if (failure instanceof CallError && !failure.unexpected) {
        setError(failure.fields.form?.[0] ?? failure.fields.title?.[0] ?? failure.message)
      }
    }
  }
  const part = (key: keyof typeof parts) => ({
    label: t(`outline:cohort.${key}`),
    checked: parts[key],
    onChange: ({ target }: { target: { checked: boolean } }) => setParts({ ...parts, [key]: target.checked }),
  })
  return (
    <ActionDialog
      title={t(isNewRun ? 'outline:cohort.title' : 'outline:cohort.copyTitle')}
      text={t(isNewRun ? 'outline:cohort.text' : 'outline:cohort.copyText')}
      cancelLabel={t('shell:button.cancel')}
      actionLabel={t(isNewRun ? 'outline:cohort.submit' : 'outline:cohort.copySubmit')}
      isBusy={busy}
      error={error}
      onAction={() => void copyCourse()}
      onClose={onClose}
    >
      <Field
        label={t('outline:cohort.courseTitle')}
        value={name}
        maxLength={160}
        onChange={({ target }) => setName(target.value)}
      />
      {isNewRun && first && (
        <NewStart
          context={context}
          first={first}
          start={start}
          days={shiftDays}
          count={dates?.count ?? 0}
          onChange={setStart}
        />
      )}
      {isNewRun && dates && !first && <p className="field-hint">{t('outline:cohort.noDates')}</p>}
      <div className="grid gap-3">
        <Checkbox {...part('tasks')} />
        <Checkbox {...part('tests')} />
        <Checkbox {...part('staff')} />
        {isNewRun && (dates?.groups ?? 0) > 0 && <Checkbox {...part('groups')} hint={t('outline:cohort.groupsHint')} />}
      </div>
    </ActionDialog>
  )
}

interface NewStartProps {
  context: OutlineContext
  first: string
  start: string
  days: number
  count: number
  onChange: (day: string) => void
}

function NewStart({ context: { t, zone, locale }, first, start, days, count, onChange }: NewStartProps) {
  const originalStart = t('outline:cohort.was', { date: formatDate(`${first}T12:00:00Z`, 'UTC', locale) })
  const movedDates = t('outline:cohort.moved', { count, days })
  return (
    <DateField
      key={zone}
      label={t('outline:cohort.start')}
      locale={locale}
      zone={zone}
      hint={start ? `${originalStart} · ${movedDates}` : originalStart}
      value={start}
      onChange={onChange}
    />
  )
}
