import { useVirtualizer } from '@tanstack/react-virtual'
import { Trash2 } from 'lucide-react'
import { type MouseEvent, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { TYPE_KEYS } from '#lib/autowebinar/line-rules.ts'
import type { ScriptEntry } from '#lib/autowebinar/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { clockOf, sayAbout, searched } from './script.ts'
import { $at, choose, removeLines, shift } from './script-store.ts'

interface Props {
  lines: readonly ScriptEntry[]
  chosen: ReadonlySet<string>
  mayChange: boolean
  t: Translate
  onShow: (line: ScriptEntry) => void
}

/** All lines in their order, as a table of which only what is in sight is there. */
export function LineList({ lines: all, chosen, mayChange, t, onShow }: Props) {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const lines = useMemo(() => searched(all, wanted, t), [all, wanted, t])
  const frame = useRef<HTMLDivElement>(null)
  const last = useRef<string | null>(null)
  const [height] = useState(() => (matchMedia('(max-width: 40rem)').matches ? 44 : 36))
  // Functions that change would have all lines measured anew with every step of the scroll.
  const estimateSize = useCallback(() => height, [height])
  const getItemKey = useCallback((index: number) => lines[index]?.id ?? index, [lines])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize,
    overscan: 12,
    getItemKey,
  })
  const [only] = chosen.size === 1 ? chosen : []
  const place = only ? lines.findIndex(({ id }) => id === only) : -1
  useEffect(() => {
    if (place >= 0) rows.scrollToIndex(place, { align: 'auto' })
  }, [place, rows])
  const press = (line: ScriptEntry, event: MouseEvent) => {
    if (event.shiftKey && last.current) choose(between(lines, last.current, line.id))
    else if (event.ctrlKey || event.metaKey)
      choose(chosen.has(line.id) ? [...chosen].filter((id) => id !== line.id) : [...chosen, line.id])
    else onShow(line)
    last.current = line.id
  }
  return (
    <section className="script-lines" aria-label={t('autowebinar:script.lines')}>
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
          {wanted.trim() !== '' && t('autowebinar:script.found', { count: lines.length })}
        </p>
      </div>
      {mayChange && <Chosen lines={lines} chosen={chosen} t={t} />}
      {lines.length === 0 && (
        <p className="text-muted p-4">{t(`autowebinar:script.${all.length === 0 ? 'empty' : 'notFound'}`)}</p>
      )}
      <div ref={frame} className="script-rows">
        <ul style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index]
            return (
              line && (
                <li key={key} style={{ transform: `translateY(${start}px)` }}>
                  <button
                    type="button"
                    className="script-row"
                    aria-pressed={chosen.has(line.id)}
                    onClick={(event) => press(line, event)}
                  >
                    <span className="tabular-nums">{clockOf(line.offsetMs)}</span>
                    <span className="text-muted">{t(`autowebinar:type.${TYPE_KEYS[line.type]}`)}</span>
                    <span className="truncate">
                      {'author' in line.payload && line.payload.author && <strong>{line.payload.author.name}: </strong>}
                      {sayAbout(line, t)}
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

function Chosen({ lines, chosen, t }: Pick<Props, 'lines' | 'chosen' | 't'>) {
  const [seconds, setSeconds] = useState('5')
  const by = Number(seconds.replace(',', '.')) * 1000
  const after = () => choose(lines.filter(({ offsetMs }) => offsetMs >= $at.get()).map(({ id }) => id))
  return (
    <div className="script-chosen">
      {chosen.size > 0 && <p className="text-sm">{t('autowebinar:script.chosen', { count: chosen.size })}</p>}
      <Button small tone="quiet" onClick={() => choose(lines.map(({ id }) => id))}>
        {t('autowebinar:script.chooseAll')}
      </Button>
      <Button small tone="quiet" onClick={after}>
        {t('autowebinar:script.chooseAfter')}
      </Button>
      {chosen.size > 0 && (
        <>
          <label className="flex items-center gap-2 text-sm">
            {t('autowebinar:script.shiftBy')}
            <input
              className="input input-sm w-16"
              inputMode="text"
              value={seconds}
              aria-invalid={!Number.isFinite(by)}
              onChange={(event) => setSeconds(event.target.value)}
            />
          </label>
          <Button small disabled={!Number.isFinite(by) || by === 0} onClick={() => shift(chosen, by)}>
            {t('autowebinar:script.shift')}
          </Button>
          <Button small tone="quiet" icon={<Trash2 size={16} aria-hidden="true" />} onClick={() => removeLines(chosen)}>
            {t('autowebinar:script.delete')}
          </Button>
        </>
      )}
    </div>
  )
}

function between(lines: readonly ScriptEntry[], a: string, b: string): string[] {
  const [from, to] = [lines.findIndex(({ id }) => id === a), lines.findIndex(({ id }) => id === b)].sort(
    (x, y) => x - y,
  )
  return lines.slice(from, (to ?? 0) + 1).map(({ id }) => id)
}
