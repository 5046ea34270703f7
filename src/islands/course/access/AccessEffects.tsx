import type { api } from '#islands/stores/api.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { formatDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'

export type PreviewView = Awaited<ReturnType<typeof api.course.previewAccess>>
type Effect = PreviewView['effects'][number]

interface Props {
  preview: PreviewView
  act: string
  say: Say
  locale: Locale
  zone: string
  busy: boolean
  note: string
  onNote: ((note: string) => void) | null
  onApply: () => void
  onClose: () => void
}

const NAMED = 3

/** What an act would do, student by student, before it is done. */
export function AccessEffects({ preview, act, say, locale, zone, busy, note, onNote, onApply, onClose }: Props) {
  const { effects, students, looked } = preview
  const said = say('access:effects.text', { changed: effects.length, looked })
  const more = students > looked ? ` ${say('access:effects.more', { count: students - looked })}` : ''
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={act}
      text={said + more}
      closeLabel={say('access:effects.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" busy={busy} onClick={onApply}>
            {say('access:effects.apply', { count: students })}
          </Button>
        </>
      )}
    >
      {effects.length > 0 && (
        <div className="max-h-96 overflow-auto">
          <table className="effects">
            <thead>
              <tr>
                <th scope="col">{say('access:effects.student')}</th>
                <th scope="col">{say('access:effects.what')}</th>
              </tr>
            </thead>
            <tbody>
              {effects.map((effect) => (
                <tr key={effect.studentId}>
                  <th scope="row">{effect.name}</th>
                  <td>
                    <ul className="grid gap-1">
                      {linesOf(effect, { say, locale, zone }).map((line) => (
                        <li key={line}>{line}</li>
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
          label={say('access:effects.note')}
          hint={say('access:effects.noteHint')}
          maxLength={300}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
      )}
    </Dialog>
  )
}

function linesOf(
  { opens, closes, moves, ends }: Effect,
  { say, locale, zone }: Pick<Props, 'say' | 'locale' | 'zone'>,
) {
  const titles = (all: string[]) =>
    all
      .slice(0, NAMED)
      .map((title) => `«${title}»`)
      .join(', ')
  const counted = (key: 'opens' | 'closes', all: string[]) =>
    all.length > NAMED
      ? [say(`access:effects.${key}Many`, { count: all.length, titles: titles(all) })]
      : all.length > 0
        ? [say(`access:effects.${key}`, { titles: titles(all) })]
        : []
  const day = (at: string | null) => (at ? formatDateTime(at, zone, locale) : say('access:effects.unknown'))
  const end = (at: string | null) =>
    at === 'none' ? say('access:effects.noAccess') : at === null ? say('access:effects.endless') : day(at)
  const moved = moves
    .slice(0, NAMED)
    .map(({ title, from, to }) => say('access:effects.moves', { title, from: day(from), to: day(to) }))
  const rest = moves.length > NAMED ? [say('access:effects.movesMore', { count: moves.length - NAMED })] : []
  const ending = ends.from === ends.to ? [] : [say('access:effects.ends', { from: end(ends.from), to: end(ends.to) })]
  return [...counted('opens', opens), ...counted('closes', closes), ...moved, ...rest, ...ending]
}
