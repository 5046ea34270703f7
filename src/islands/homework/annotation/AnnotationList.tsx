import './annotation.css'
import { Button } from '#islands/ui/Button.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Annotation } from '#lib/homework/schema.ts'

interface Props {
  marks: Annotation[]
  /** The page that is shown; null where none is. */
  page: number | null
  t: Translate
  onPage?: ((page: number) => void) | undefined
  /** Opens the page of an annotation and focuses it there. */
  onShow?: (mark: Annotation) => void
  onText?: (id: string, text: string) => void
  onRemove?: (id: string) => void
}

/** The texts of the annotations, below the page. */
export function AnnotationList({ marks, page, t, onPage, onShow, onText, onRemove }: Props) {
  const isHydrated = useHydrated()
  if (marks.length === 0) return null
  return (
    <ol className="grid gap-2" aria-label={t('homework:mark.list')}>
      {marks.map((mark, index) => (
        <li key={mark.id} className="annotation-mark-row">
          <button
            type="button"
            className="annotation-mark-number"
            aria-label={t('homework:mark.show', { number: index + 1, page: mark.page })}
            disabled={!isHydrated}
            onClick={() => onShow?.(mark)}
          >
            {index + 1}
          </button>
          {onText ? (
            <textarea
              className="textarea textarea-sm w-full"
              rows={1}
              maxLength={1000}
              value={mark.text}
              placeholder={t('homework:mark.comment')}
              aria-label={t('homework:mark.textOf', { number: index + 1 })}
              data-mark-text={mark.id}
              onChange={(event) => onText(mark.id, event.currentTarget.value)}
            />
          ) : (
            <p data-mark-text={mark.id} tabIndex={-1}>
              {page === null && (
                <span className="text-muted text-sm">{t('homework:own.page', { page: mark.page })}: </span>
              )}
              {mark.text || t('homework:mark.noText')}
            </p>
          )}
          {mark.page !== page && onPage && (
            <Button small tone="quiet" onClick={() => onPage(mark.page)}>
              {t('homework:mark.onPage', { page: mark.page })}
            </Button>
          )}
          {onRemove && (
            <Button small tone="quiet" onClick={() => onRemove(mark.id)}>
              {t('shell:button.delete')}
              <span className="sr-only"> {t('homework:mark.number', { number: index + 1 })}</span>
            </Button>
          )}
        </li>
      ))}
    </ol>
  )
}
