import { formatBytes } from '#lib/core/shared/locale.ts'
import { MAX_FILE_BYTES } from '#lib/core/shared/stored-file.ts'
import { KindIcon } from './browser/KindIcon.tsx'
import { EMPTY_QUERY, listingUrl, type StorageQuota } from './browser/listing-query.ts'
import type { StorageI18n } from './file-text.ts'

const WARNING_SHARE = 0.9

/** Storage usage, the largest files and the size limit of a file. */
export function QuotaBar({ quota, i18n }: { quota: StorageQuota; i18n: StorageI18n }) {
  const { t, locale } = i18n
  const { used, reserved, limit, derived, largest } = quota
  const bytes = (size: number) => formatBytes(size, locale)
  const share = limit === null ? 0 : Math.min(1, (used + reserved) / limit)
  const free = limit === null ? null : Math.max(0, limit - used - reserved)
  const label =
    limit === null
      ? t('storage:quota.usedOpen', { used: bytes(used) })
      : t('storage:quota.used', { used: bytes(used), limit: bytes(limit) })
  const warning = limit === null || share < WARNING_SHARE ? null : share < 1 ? 'nearly' : 'full'
  const most = bytes(free === null ? MAX_FILE_BYTES : Math.min(MAX_FILE_BYTES, free))
  return (
    <section aria-label={t('storage:quota.title')} className="quota">
      {limit !== null && (
        <progress
          className={`progress w-full ${warning === 'full' ? 'progress-error' : warning ? 'progress-warning' : 'progress-primary'}`}
          aria-label={label}
          max={100}
          value={Math.max(used > 0 ? 1 : 0, Math.round(share * 100))}
        />
      )}
      <details className="fold" data-fold>
        <summary className="quota-line">
          <span className="font-medium">{label}</span>
          {reserved > 0 && <span className="text-muted">{t('storage:quota.promised', { size: bytes(reserved) })}</span>}
          <span className="text-muted">
            {free === null
              ? t('storage:page.limitsOpen', { max: most })
              : t('storage:page.limits', { max: most, free: bytes(free) })}
          </span>
          {largest.length > 0 && <span className="still-link">{t('storage:quota.biggest')}</span>}
        </summary>
        <div className="fold-panel floating quota-panel">
          <ol className="grid">
            {largest.map(({ id, name, size, kind }) => (
              <li key={id}>
                <a href={listingUrl(EMPTY_QUERY, { q: name.slice(0, 100) })} className="option">
                  <KindIcon kind={kind} />
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                  <span className="tabular text-muted">{bytes(size)}</span>
                </a>
              </li>
            ))}
          </ol>
          <p className="p-2.5 text-muted text-sm">{t('storage:quota.made', { size: bytes(derived) })}</p>
        </div>
      </details>
      {warning && (
        <p role="status" className="text-sm text-error">
          {t(`storage:quota.${warning}`)}
        </p>
      )}
    </section>
  )
}
