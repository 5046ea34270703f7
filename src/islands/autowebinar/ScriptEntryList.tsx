import { useVirtualizer } from '@tanstack/react-virtual'
import { Trash2 } from 'lucide-react'
import { type MouseEvent, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import { TYPE_KEYS } from '#lib/autowebinar/entry-rules.ts'
import type { ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { formatEntry, formatTimecode, searchEntries } from './script.ts'
import { $positionMs, removeEntries, selectEntries, shiftSelectedEntries } from './script-store.ts'

interface Props {
  entries: readonly ScriptEntry[]
  selection: ReadonlySet<string>
  canEdit: boolean
  t: Translate
  onShow: (entry: ScriptEntry) => void
}

/** In pixels. */
const ROW_HEIGHT = { wide: 36, narrow: 44 }

/** A virtualised list of all script entries, with search and selection. */
export function ScriptEntryList({ entries: allEntries, selection, canEdit, t, onShow }: Props) {
  const [text, setText] = useState('')
  const searchText = useDeferredValue(text)
  const visibleEntries = useMemo(() => searchEntries(allEntries, searchText, t), [allEntries, searchText, t])
  const frame = useRef<HTMLDivElement>(null)
  const anchorId = useRef<string | null>(null)
  const isHydrated = useHydrated()
  const height = isHydrated && matchMedia('(max-width: 40rem)').matches ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide
  // Stable functions: otherwise the virtualiser measures all rows again on every scroll event.
  const estimateSize = useCallback(() => height, [height])
  const getItemKey = useCallback((index: number) => visibleEntries[index]?.id ?? index, [visibleEntries])
  const rows = useVirtualizer({
    count: visibleEntries.length,
    getScrollElement: () => frame.current,
    estimateSize,
    overscan: 12,
    getItemKey,
    // The server renders the rows that fit into this height.
    initialRect: { width: 0, height: 400 },
  })
  useEffect(() => {
    if (height !== ROW_HEIGHT.wide) rows.measure()
  }, [height, rows])
  const [selectedId] = selection.size === 1 ? selection : []
  const selectedIndex = selectedId ? visibleEntries.findIndex(({ id }) => id === selectedId) : -1
  useEffect(() => {
    if (selectedIndex >= 0) rows.scrollToIndex(selectedIndex, { align: 'auto' })
  }, [selectedIndex, rows])
  const selectRow = (entry: ScriptEntry, event: MouseEvent) => {
    if (event.shiftKey && anchorId.current) selectEntries(idsBetween(visibleEntries, anchorId.current, entry.id))
    else if (event.ctrlKey || event.metaKey)
      selectEntries(selection.has(entry.id) ? [...selection].filter((id) => id !== entry.id) : [...selection, entry.id])
    else onShow(entry)
    anchorId.current = entry.id
  }
  return (
    <section className="script-entries" aria-label={t('autowebinar:script.entries')}>
      <div className="script-search">
        <input
          type="search"
          className="input input-sm"
          value={text}
          placeholder={t('autowebinar:script.search')}
          aria-label={t('autowebinar:script.search')}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="status" className="text-muted text-sm">
          {searchText.trim() !== '' && t('autowebinar:script.found', { count: visibleEntries.length })}
        </p>
      </div>
      {canEdit && <SelectionBar entries={visibleEntries} selection={selection} t={t} />}
      {visibleEntries.length === 0 && (
        <p className="text-muted p-4">{t(`autowebinar:script.${allEntries.length === 0 ? 'empty' : 'notFound'}`)}</p>
      )}
      <div ref={frame} className="script-rows">
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const entry = visibleEntries[index]
            return (
              entry && (
                <li key={key} style={{ transform: `translateY(${start}px)` }}>
                  <button
                    type="button"
                    className="script-row"
                    aria-pressed={selection.has(entry.id)}
                    onClick={(event) => selectRow(entry, event)}
                  >
                    <span className="tabular-nums">{formatTimecode(entry.offsetMs)}</span>
                    <span className="text-muted">{t(`autowebinar:type.${TYPE_KEYS[entry.type]}`)}</span>
                    <span className="truncate">
                      {'author' in entry.payload && entry.payload.author && (
                        <strong>{entry.payload.author.name}: </strong>
                      )}
                      {formatEntry(entry, t)}
                    </span>
                  </button>
                </li>
              )
            )
          })}
        </ul>
      </div>
    </section>
  )
}

function SelectionBar({ entries, selection, t }: Pick<Props, 'entries' | 'selection' | 't'>) {
  const [seconds, setSeconds] = useState('5')
  const shiftMs = Number(seconds.replace(',', '.')) * 1000
  const selectAfter = () =>
    selectEntries(entries.filter(({ offsetMs }) => offsetMs >= $positionMs.get()).map(({ id }) => id))
  return (
    <div className="script-selection">
      {selection.size > 0 && <p className="text-sm">{t('autowebinar:script.chosen', { count: selection.size })}</p>}
      <Button small tone="quiet" onClick={() => selectEntries(entries.map(({ id }) => id))}>
        {t('autowebinar:script.chooseAll')}
      </Button>
      <Button small tone="quiet" onClick={selectAfter}>
        {t('autowebinar:script.chooseAfter')}
      </Button>
      {selection.size > 0 && (
        <>
          <label className="flex items-center gap-2 text-sm">
            {t('autowebinar:script.shiftBy')}
            <input
              className="input input-sm w-16"
              inputMode="text"
              value={seconds}
              aria-invalid={!Number.isFinite(shiftMs)}
              onChange={(event) => setSeconds(event.target.value)}
            />
          </label>
          <Button
            small
            disabled={!Number.isFinite(shiftMs) || shiftMs === 0}
            onClick={() => shiftSelectedEntries(selection, shiftMs)}
          >
            {t('autowebinar:script.shift')}
          </Button>
          <Button
            small
            tone="quiet"
            icon={<Trash2 size={16} aria-hidden="true" />}
            onClick={() => removeEntries(selection)}
          >
            {t('autowebinar:script.delete')}
          </Button>
        </>
      )}
    </div>
  )
}

function idsBetween(entries: readonly ScriptEntry[], firstId: string, lastId: string): string[] {
  const [fromIndex, toIndex] = [
    entries.findIndex(({ id }) => id === firstId),
    entries.findIndex(({ id }) => id === lastId),
  ].sort((x, y) => x - y)
  return entries.slice(fromIndex, (toIndex ?? 0) + 1).map(({ id }) => id)
}
