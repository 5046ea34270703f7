import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  /** Both texts as plain words. */
  mine: string
  theirs: string
  /** Who wrote the other one. */
  by?: string | undefined
  /** The two can stand one after the other. */
  both?: boolean
  onChoose: (choice: 'mine' | 'theirs' | 'both') => void
  /** Speaks the `shell` strings. */
  t: Translate
}

/** Two versions of one text side by side; nothing is replaced until the person says which. */
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
          act={t('shell:save.keepMine')}
          onChoose={() => onChoose('mine')}
        />
        <Version
          name={by ? t('shell:save.theirsBy', { name: by }) : t('shell:save.theirs')}
          text={theirs}
          act={t('shell:save.keepTheirs')}
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

function Version({ name, text, act, onChoose }: { name: string; text: string; act: string; onChoose: () => void }) {
  return (
    <div className="grid min-w-0 grid-rows-[auto_1fr_auto] gap-2">
      <h4 className="font-medium text-sm">{name}</h4>
      <p className="max-h-60 overflow-y-auto whitespace-pre-wrap rounded-field bg-base-200 p-3 text-sm">{text}</p>
      <button type="button" className="btn btn-sm justify-self-start" onClick={onChoose}>
        {act}
      </button>
    </div>
  )
}
