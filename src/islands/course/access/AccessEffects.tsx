import type { api } from '#islands/stores/api.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

export type PreviewView = Awaited<ReturnType<typeof api.course.previewAccess>>
type StudentEffect = PreviewView['effects'][number]

interface Props {
  preview: PreviewView
  action: string
  t: Translate
  locale: Locale
  zone: string
  busy: boolean
  note: string
  onNote: ((note: string) => void) | null
  onApply: () => void
  onClose: () => void
}

const MAX_TITLES = 3

/** Previews the effects of an action, student by student. */
export function AccessEffects({ preview, action, t, locale, zone, busy, note, onNote, onApply, onClose }: Props) {
  const { effects, students, examined } = preview
  const summary = t('access:effects.text', { changed: effects.length, examined })
  const more = students > examined ? ` ${t('access:effects.more', { count: students - examined })}` : ''
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={action}
      text={summary + more}
      closeLabel={t('access:effects.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" busy={busy} onClick={onApply}>
            {t('access:effects.apply', { count: students })}
          </Button>
        </>
      )}
    >
      {effects.length > 0 && (
        <div className="max-h-96 overflow-auto">
          <table className="effects">
            <thead>
              <tr>
                <th scope="col">{t('access:effects.student')}</th>
                <th scope="col">{t('access:effects.what')}</th>
              </tr>
            </thead>
            <tbody>
              {effects.map((effect) => (
                <tr key={effect.studentId}>
                  <th scope="row">{effect.name}</th>
                  <td>
                    <ul className="grid gap-1">
                      {describeEffect(effect, { t, locale, zone }).map((sentence) => (
                        <li key={sentence}>{sentence}</li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {onNote && (
        <Field
          className="mt-4"
          label={t('access:effects.note')}
          hint={t('access:effects.noteHint')}
          maxLength={300}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
      )}
    </Dialog>
  )
}

function describeEffect(
  { opens, closes, moves, endsAt }: StudentEffect,
  { t, locale, zone }: Pick<Props, 't' | 'locale' | 'zone'>,
) {
  const titles = (items: string[]) =>
    items
      .slice(0, MAX_TITLES)
      .map((title) => `«${title}»`)
      .join(', ')
  const lessonLine = (key: 'opens' | 'closes', items: string[]) =>
    items.length > MAX_TITLES
      ? [t(`access:effects.${key}Many`, { count: items.length, titles: titles(items) })]
      : items.length > 0
        ? [t(`access:effects.${key}`, { titles: titles(items) })]
        : []
  const formatDay = (at: string | null) => (at ? formatDateTime(at, zone, locale) : t('access:effects.unknown'))
  const formatEnd = (at: string | null) =>
    at === 'none' ? t('access:effects.noAccess') : at === null ? t('access:effects.endless') : formatDay(at)
  const moveLines = moves
    .slice(0, MAX_TITLES)
    .map(({ title, from, to }) => t('access:effects.moves', { title, from: formatDay(from), to: formatDay(to) }))
  const moreMoves =
    moves.length > MAX_TITLES ? [t('access:effects.movesMore', { count: moves.length - MAX_TITLES })] : []
  const endLines =
    endsAt.from === endsAt.to
      ? []
      : [t('access:effects.ends', { from: formatEnd(endsAt.from), to: formatEnd(endsAt.to) })]
  return [...lessonLine('opens', opens), ...lessonLine('closes', closes), ...moveLines, ...moreMoves, ...endLines]
}
