import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  /** Both texts as plain text. */
  mine: string
  theirs: string
  /** The other author. */
  by?: string | undefined
  /** Both texts can be kept, one after the other. */
  both?: boolean
  onChoose: (choice: 'mine' | 'theirs' | 'both') => void
  /** Translates the `shell` strings. */
  t: Translate
}

/** Two versions of a text side by side; nothing is replaced before the user has chosen. */
export function ConflictChoice({ mine, theirs, by, both, onChoose, t }: Props) {
  return (
    <section role="alert" className="card-line grid gap-4 border-s-4 border-s-warning p-4">
      <div>
        <h3 className="font-semibold">{t('shell:save.conflictTitle')}</h3>
        <p className="text-muted text-sm">{t('shell:save.conflictHint')}</p>
      </div>
      <div className="grid gap-4 md:grid-cols-2">
        <Version
          name={t('shell:save.mine')}
          text={mine}
          action={t('shell:save.keepMine')}
          onChoose={() => onChoose('mine')}
        />
        <Version
          name={by ? t('shell:save.theirsBy', { name: by }) : t('shell:save.theirs')}
          text={theirs}
          action={t('shell:save.keepTheirs')}
          onChoose={() => onChoose('theirs')}
        />
      </div>
      {both && (
        <button type="button" className="btn btn-sm justify-self-start" onClick={() => onChoose('both')}>
          {t('shell:save.keepBoth')}
        </button>
      )}
    </section>
  )
}

function Version({
  name,
  text,
  action,
  onChoose,
}: {
  name: string
  text: string
  action: string
  onChoose: () => void
}) {
  return (
    <div className="grid min-w-0 grid-rows-[auto_1fr_auto] gap-2">
      <h4 className="font-medium text-sm">{name}</h4>
      <p className="max-h-60 overflow-y-auto whitespace-pre-wrap rounded-field bg-base-200 p-3 text-sm">{text}</p>
      <button type="button" className="btn btn-sm justify-self-start" onClick={onChoose}>
        {action}
      </button>
    </div>
  )
}
