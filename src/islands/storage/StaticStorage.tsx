import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { Path } from './browser/Breadcrumbs.tsx'
import { Nothing } from './browser/EmptyListing.tsx'
import { Shelf } from './browser/FileGrid.tsx'
import { type BrowserProps, isSearch } from './browser/listing-query.ts'
import { Toolbar } from './browser/Toolbar.tsx'
import { QuotaBar } from './QuotaBar.tsx'

/** The storage as the server sends it: it can be read and its folders opened. The living one takes its place. */
export default function StorageStill({ rows, path, asked, view, quota, writes, locale, zone, strings }: BrowserProps) {
  const words = { t: createTranslator(strings, locale), locale, zone }
  const trash = asked.trash
  return (
    <>
      {!trash && <QuotaBar quota={quota} words={words} />}
      <div className="storage-bar">
        {trash ? <span /> : <Path path={path} asked={asked} words={words} />}
        <Toolbar view={view} words={words} takes={writes && !trash && !isSearch(asked)} />
      </div>
      {rows.length === 0 ? (
        <Nothing asked={asked} top={path.length === 0} writes={writes} words={words} />
      ) : (
        <Shelf rows={rows} view={view} asked={asked} words={words} />
      )}
    </>
  )
}
