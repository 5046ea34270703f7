import type { ScriptIssue } from '#lib/autowebinar/flaw-rules.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { clockOf } from './script.ts'

interface Props {
  flaws: readonly ScriptIssue[]
  onShow: (flaw: ScriptIssue) => void
  t: Translate
}

const MOST = 100

/** What is wrong with the script; each line leads to its place. */
export function FlawList({ flaws, onShow, t }: Props) {
  return (
    <section className="card-line p-4" aria-label={t('autowebinar:flaws.title')}>
      <h2 className="mb-2 font-semibold">{t('autowebinar:flaws.title')}</h2>
      {flaws.length === 0 && <p className="text-muted text-sm">{t('autowebinar:flaws.none')}</p>}
      <ul className="grid max-h-72 gap-1 overflow-y-auto">
        {flaws.slice(0, MOST).map((flaw) => (
          <li key={`${flaw.kind} ${flaw.lineId}`}>
            <button
              type="button"
              className="script-flaw"
              data-note={flaw.isAdvice || undefined}
              onClick={() => onShow(flaw)}
            >
              <span className="tabular-nums">{clockOf(flaw.offsetMs)}</span>
              <span>
                {t(`autowebinar:flaws.${flaw.kind}`)}
                {flaw.subject && <span className="text-muted"> {flaw.subject}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {flaws.length > MOST && (
        <p className="text-muted text-sm">{t('autowebinar:flaws.more', { count: flaws.length - MOST })}</p>
      )}
    </section>
  )
}
