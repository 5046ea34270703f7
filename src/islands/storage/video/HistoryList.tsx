import { formatPercent, formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import { FILE_FAILURES } from '#lib/core/shared/stored-file.ts'
import type { FileDetails } from '../file-details.ts'
import type { StorageI18n } from '../file-text.ts'

/** The history of a file's states; failures with reason and advice. */
export function HistoryList({ file, i18n }: { file: FileDetails; i18n: StorageI18n }) {
  const { t, timeZone, locale } = i18n
  if (file.history.length === 0) return null
  return (
    <section className="text-sm">
      <h3 className="mb-1 font-semibold">{t('storage:details.history')}</h3>
      <ol className="grid gap-1">
        {file.history.map((entry) => {
          const failure = FILE_FAILURES.find((known) => known === entry.detail)
          return (
            <li key={`${entry.event} ${entry.at}`}>
              <div className="flex justify-between gap-3">
                <span>{eventText(entry, i18n)}</span>
                <time className="shrink-0 text-muted tabular" dateTime={entry.at}>
                  {formatRelativeDateTime(entry.at, timeZone, locale)}
                </time>
              </div>
              {failure && (
                <p className="text-muted">{`${t(`storage:failure.${failure}`)}. ${t(`storage:hint.${failure}`)}`}</p>
              )}
            </li>
          )
        })}
      </ol>
      {file.failureDetail && (
        <details className="mt-2">
          <summary className="still-link">{t('storage:details.help')}</summary>
          <pre className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap rounded-field bg-base-200 p-2 text-xs">
            {file.failureDetail}
          </pre>
        </details>
      )}
    </section>
  )
}

function eventText({ event, detail }: FileDetails['history'][number], { t, locale }: StorageI18n): string {
  if (event === 'processing' && detail === 'poster') return t('storage:state.postersReady')
  if (event === 'finished' && detail === 'truncated') return t('storage:state.truncated')
  if (event === 'queued' && detail === 'disk_full') return t('storage:state.waitsForDisk')
  if (event === 'queued' && detail === 'again') return t('storage:state.queuedAgain')
  if (event === 'encoding') return t('storage:state.encodingStarted')
  if (event === 'resolutionFinished' && detail) return t('storage:state.resolutionReady', { height: detail })
  return t(`storage:state.${event}`, { percent: formatPercent(1, locale) })
}
