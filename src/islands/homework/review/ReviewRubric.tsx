import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Criterion, RubricMark } from '#lib/homework/schema.ts'

interface Props {
  rubric: Criterion[]
  marks: RubricMark[]
  editable: boolean
  t: Translate
  onMark: (marks: RubricMark[]) => void
}

/** The rubric: one level for each criterion, none preselected. */
export function ReviewRubric({ rubric, marks, editable, t, onMark }: Props) {
  const choose = (criterionId: string, level: number) =>
    onMark([...marks.filter((mark) => mark.criterionId !== criterionId), { criterionId, level }])
  return (
    <div className="grid gap-4">
      {rubric.map(({ id, title, levels }) => (
        <fieldset key={id} className="grid gap-1.5" disabled={!editable}>
          <legend className="field-label mb-1.5">{title}</legend>
          <div className="review-levels">
            {levels.map((level, index) => {
              const chosen = marks.some((mark) => mark.criterionId === id && mark.level === index)
              return (
                <label key={level.title} className="review-choice" data-chosen={chosen} title={level.text || undefined}>
                  <input
                    type="radio"
                    name={`rubric-${id}`}
                    className="radio radio-sm"
                    checked={chosen}
                    onChange={() => choose(id, index)}
                  />
                  <span>
                    {level.title}
                    <span className="text-muted tabular">
                      {' '}
                      · {t('homework:rubric.points', { count: level.points })}
                    </span>
                  </span>
                </label>
              )
            })}
          </div>
        </fieldset>
      ))}
    </div>
  )
}
