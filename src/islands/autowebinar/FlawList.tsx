import type { Flaw } from '#lib/autowebinar/flaw-rules.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { clockOf } from './script.ts'

interface Props {
  flaws: readonly Flaw[]
  onShow: (flaw: Flaw) => void
  say: Say
}

const MOST = 100

/** What is wrong with the script; each line leads to its place. */
export function FlawList({ flaws, onShow, say }: Props) {
  return (
    <section className="card-line p-4" aria-label={say('autowebinar:flaws.title')}>
      <h2 className="mb-2 font-semibold">{say('autowebinar:flaws.title')}</h2>
      {flaws.length === 0 && <p className="text-muted text-sm">{say('autowebinar:flaws.none')}</p>}
      <ul className="grid max-h-72 gap-1 overflow-y-auto">
        {flaws.slice(0, MOST).map((flaw) => (
          <li key={`${flaw.kind} ${flaw.lineId}`}>
            <button
              type="button"
              className="script-flaw"
              data-note={flaw.note || undefined}
              onClick={() => onShow(flaw)}
            >
              <span className="tabular-nums">{clockOf(flaw.offsetMs)}</span>
              <span>
                {say(`autowebinar:flaws.${flaw.kind}`)}
                {flaw.about && <span className="text-muted"> {flaw.about}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {flaws.length > MOST && (
        <p className="text-muted text-sm">{say('autowebinar:flaws.more', { count: flaws.length - MOST })}</p>
      )}
    </section>
  )
}
