import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { Breadcrumbs } from './browser/Breadcrumbs.tsx'
import { EmptyListing } from './browser/EmptyListing.tsx'
import { FileGrid } from './browser/FileGrid.tsx'
import { type BrowserProps, isSearch } from './browser/listing-query.ts'
import { Toolbar } from './browser/Toolbar.tsx'
import { QuotaBar } from './QuotaBar.tsx'

/** The storage as the server renders it: folders can be opened without a script. */
export default function StaticStorage({
  rows,
  path,
  query,
  view,
  quota,
  canWrite,
  locale,
  timeZone,
  strings,
}: BrowserProps) {
  const i18n = { t: createTranslator(strings, locale), locale, timeZone }
  const trash = query.trash
  return (
    <>
      {!trash && <QuotaBar quota={quota} i18n={i18n} />}
      <div className="storage-bar">
        {trash ? <span /> : <Breadcrumbs path={path} query={query} i18n={i18n} />}
        <Toolbar view={view} i18n={i18n} acceptsFiles={canWrite && !trash && !isSearch(query)} />
      </div>
      {rows.length === 0 ? (
        <EmptyListing query={query} top={path.length === 0} canWrite={canWrite} i18n={i18n} />
      ) : (
        <FileGrid rows={rows} view={view} query={query} i18n={i18n} />
      )}
    </>
  )
}
