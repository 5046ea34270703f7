import type { ScriptIssue } from '#lib/autowebinar/issue-rules.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { formatTimecode } from './script.ts'

interface Props {
  issues: readonly ScriptIssue[]
  onShow: (issue: ScriptIssue) => void
  t: Translate
}

const MAX_ROWS = 100

/** Problems of the script; a click on one selects its entry. */
export function ScriptIssueList({ issues, onShow, t }: Props) {
  return (
    <section className="card-line p-4" aria-label={t('autowebinar:issues.title')}>
      <h2 className="mb-2 font-semibold">{t('autowebinar:issues.title')}</h2>
      {issues.length === 0 && <p className="text-muted text-sm">{t('autowebinar:issues.none')}</p>}
      <ul className="grid max-h-72 gap-1 overflow-y-auto">
        {issues.slice(0, MAX_ROWS).map((issue) => (
          <li key={`${issue.kind} ${issue.entryId}`}>
            <button
              type="button"
              className="script-issue"
              data-note={issue.isAdvice || undefined}
              onClick={() => onShow(issue)}
            >
              <span className="tabular-nums">{formatTimecode(issue.offsetMs)}</span>
              <span>
                {t(`autowebinar:issues.${issue.kind}`)}
                {issue.subject && <span className="text-muted"> {issue.subject}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {issues.length > MAX_ROWS && (
        <p className="text-muted text-sm">{t('autowebinar:issues.more', { count: issues.length - MAX_ROWS })}</p>
      )}
    </section>
  )
}
