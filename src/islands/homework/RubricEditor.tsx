import { Plus, Trash } from 'lucide-react'
import { IntegerField } from '#islands/field/IntegerField.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Criterion } from '#lib/homework/schema.ts'

interface Props {
  value: readonly Criterion[]
  onChange: (value: Criterion[]) => void
  t: Translate
}

type Level = Criterion['levels'][number]

/** Edits the criteria of a rubric and their levels. */
export function RubricEditor({ value, onChange, t }: Props) {
  const set = (id: string, next: Criterion | null) =>
    onChange(value.flatMap((criterion) => (criterion.id !== id ? [criterion] : next ? [next] : [])))
  const fresh = (): Criterion => ({
    id: crypto.randomUUID(),
    title: '',
    levels: [
      { title: t('homework:task.levelLow'), text: '', points: 0 },
      { title: t('homework:task.levelHigh'), text: '', points: 1 },
    ],
  })
  return (
    <fieldset className="grid gap-4">
      <legend className="field-label">{t('homework:task.rubric')}</legend>
      <p className="field-hint">{t('homework:task.rubricHint')}</p>
      {value.map((criterion) => (
        <CriterionCard key={criterion.id} value={criterion} onChange={(next) => set(criterion.id, next)} t={t} />
      ))}
      {value.length < 12 && (
        <Button
          small
          className="justify-self-start"
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={() => onChange([...value, fresh()])}
        >
          {t('homework:task.addCriterion')}
        </Button>
      )}
    </fieldset>
  )
}

function CriterionCard({
  value,
  onChange,
  t,
}: {
  value: Criterion
  onChange: (value: Criterion | null) => void
  t: Translate
}) {
  const levels = (at: number, next: Level | null) =>
    onChange({
      ...value,
      levels: value.levels.flatMap((level, place) => (place !== at ? [level] : next ? [next] : [])),
    })
  const rows = value.levels.map((level, at) => ({ level, at, key: `${value.id} ${at}` }))
  return (
    <div className="card-line grid gap-3 p-3">
      <div className="flex items-end gap-2">
        <Field
          className="flex-1"
          label={t('homework:task.criterion')}
          value={value.title}
          maxLength={120}
          onChange={(event) => onChange({ ...value, title: event.target.value })}
        />
        <RemoveButton
          label={t('homework:task.removeCriterion', { title: value.title })}
          onClick={() => onChange(null)}
        />
      </div>
      <ol className="grid gap-2">
        {rows.map(({ level, at, key }) => (
          <li key={key} className="grid grid-cols-[minmax(0,1fr)_6rem_auto] items-end gap-2">
            <Field
              label={t('homework:task.level', { number: at + 1 })}
              value={level.title}
              maxLength={80}
              onChange={(event) => levels(at, { ...level, title: event.target.value })}
            />
            <IntegerField
              label={t('homework:task.points')}
              value={level.points}
              min={0}
              max={1000}
              required
              onChange={(points) => levels(at, { ...level, points: points ?? 0 })}
            />
            {value.levels.length > 2 && (
              <RemoveButton
                label={t('homework:task.removeLevel', { title: level.title })}
                onClick={() => levels(at, null)}
              />
            )}
          </li>
        ))}
      </ol>
      {value.levels.length < 6 && (
        <Button
          small
          tone="quiet"
          className="justify-self-start"
          onClick={() => onChange({ ...value, levels: [...value.levels, { title: '', text: '', points: 0 }] })}
        >
          + {t('homework:task.addLevel')}
        </Button>
      )}
    </div>
  )
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className="btn btn-ghost btn-square" aria-label={label} title={label} onClick={onClick}>
      <Trash size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
