import { everyNode, type LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { TransferReport } from '#lib/course/transfer/schema.ts'
import type { Source, SourceUnit } from './unit.ts'

/** What an import wrote: all its texts with titles, and the names of its files in the storage. */
export interface Imported {
  titles: string[]
  docs: LessonDoc[]
  files: string[]
  report: TransferReport
}

interface Count {
  source: number
  imported: number
  listed: number
  missing: number
}

export interface Balance {
  /** Letters and digits: white space and punctuation differ from format to format. */
  characters: Count
  files: Count
  links: Count
  kinds: Record<string, Omit<Count, 'missing'>>
  /** The first of what is neither imported nor listed. */
  lost: string[]
}

/** Compares what a source contains with what of it was imported and what the report lists. */
export function balance(source: Source, imported: Imported): Balance {
  const { notes } = imported.report
  const listed = source.units.filter((one) => notes.some((note) => one.isListedBy(note)))
  const wanted = source.units.filter((one) => !listed.includes(one))
  const texts = imported.docs.map(textOf)
  const had = wordCounts([...imported.titles, ...imported.files, ...texts].join('\n'))
  const lostWords = missingWords(wordCounts(wanted.map(({ text }) => text).join('\n')), had)
  const lostCharacters = lostWords.reduce((sum, [word, times]) => sum + word.length * times, 0)
  const wantedCharacters = charactersOf(wanted)
  const listedCharacters = charactersOf(listed)
  const files = filesMissing(source, imported)
  const links = linksMissing(wanted, imported)
  return {
    characters: {
      source: wantedCharacters + listedCharacters,
      imported: wantedCharacters - lostCharacters,
      listed: listedCharacters,
      missing: lostCharacters,
    },
    files: files.count,
    links: { ...links.count, source: links.count.source + listed.flatMap((one) => one.links).length },
    kinds: kindsOf(source.units, listed),
    lost: [...lostWords.map(([word, times]) => `${word} ×${times}`), ...files.lost, ...links.lost].slice(0, 20),
  }
}

function kindsOf(units: readonly SourceUnit[], listed: readonly SourceUnit[]): Balance['kinds'] {
  const found = new Map<string, Omit<Count, 'missing'>>()
  for (const one of units) {
    const count = found.get(one.kind) ?? { source: 0, imported: 0, listed: 0 }
    const isListed = listed.includes(one)
    found.set(one.kind, {
      source: count.source + 1,
      imported: count.imported + (isListed ? 0 : 1),
      listed: count.listed + (isListed ? 1 : 0),
    })
  }
  return Object.fromEntries(found)
}

const WORD = /[\p{L}\p{N}]+/gu

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of spelled(text).matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Superscripts of a formula are characters of their own in some formats, and digits in a place of their own in others. */
const spelled = (text: string): string =>
  text.normalize('NFC').replace(/[\u2070-\u209f\u00b2\u00b3\u00b9]+/g, (raised) => ` ${raised.normalize('NFKC')}`)

const charactersOf = (units: readonly SourceUnit[]): number =>
  units.reduce((sum, { text }) => sum + [...spelled(text).matchAll(WORD)].join('').length, 0)

function missingWords(wanted: ReadonlyMap<string, number>, had: ReadonlyMap<string, number>): [string, number][] {
  return [...wanted].flatMap(([word, times]) => {
    const left = times - (had.get(word) ?? 0)
    return left > 0 ? [[word, left] as [string, number]] : []
  })
}

function textOf(doc: LessonDoc): string {
  const parts: string[] = []
  for (const node of everyNode(doc)) {
    if (node.type === 'text') parts.push(node.text ?? '')
    else
      parts.push(
        ` ${String(node.attrs?.alt ?? '')} ${String(node.attrs?.name ?? '')} ${String(node.attrs?.url ?? '')} `,
      )
  }
  return parts.join('')
}

/** A file is there by its name, whatever its type became, or counted in a note of its owner. */
function filesMissing(source: Source, { files, report }: Pick<Imported, 'files' | 'report'>) {
  if (source.areNameless) return filesMissingByNumber(source, { files, report })
  const names = new Set(files.map(stemOf))
  const left = source.files.filter(({ name }) => !names.has(stemOf(name)))
  const room = new Map<string, number>()
  for (const { title, files = 0 } of report.notes) room.set(title, (room.get(title) ?? 0) + files)
  const lost = left.filter(({ name, owners }) => {
    const owner = [name, ...owners].find((one) => (room.get(one) ?? 0) > 0)
    if (owner !== undefined) room.set(owner, (room.get(owner) ?? 0) - 1)
    return owner === undefined
  })
  const total = source.files.length
  const listed = left.length - lost.length
  return {
    count: { source: total, imported: total - left.length, listed, missing: lost.length },
    lost: lost.map(({ name }) => `file ${name}`),
  }
}

function filesMissingByNumber(source: Source, { files, report }: Pick<Imported, 'files' | 'report'>) {
  const total = source.files.length
  const imported = Math.min(files.length, total)
  const noted = report.notes.reduce((sum, { files = 0 }) => sum + files, 0)
  const listed = Math.min(noted, total - imported)
  const missing = total - imported - listed
  return { count: { source: total, imported, listed, missing }, lost: missing > 0 ? [`${missing} files`] : [] }
}

/** The storage may shorten a name, number it, or change its ending. */
const stemOf = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.[a-z0-9]{1,5}$/, '')
    .replace(/ \(\d+\)$/, '')
    .slice(-150)

/** A link is there by its address, as a player of the same video, or counted in a note; inner links only by their number. */
function linksMissing(wanted: readonly SourceUnit[], { docs, report }: Imported) {
  const hrefs = new Set<string>()
  let inner = 0
  for (const node of docs.flatMap((doc) => [...everyNode(doc)])) {
    for (const href of addressesOf(node)) {
      hrefs.add(comparable(href))
      if (!/^\w+:/.test(href)) inner += 1
    }
  }
  const all = wanted.flatMap(({ links }) => links.map((href) => href.trim()).filter(Boolean))
  const outer = all.filter((href) => /^(https?:|mailto:|\/\/)/i.test(href))
  const lost = outer.filter((href) => !hrefs.has(comparable(href)) && !playedAs(href, hrefs))
  const innerLost = Math.max(0, all.length - outer.length - inner)
  const listed = report.notes.reduce((sum, { links = 0 }) => sum + links, 0)
  const missing = Math.max(0, lost.length + innerLost - listed)
  const count = { source: all.length, imported: all.length - lost.length - innerLost, listed, missing }
  return { count, lost: missing > 0 ? [...lost.map((href) => `link ${href}`), `inner links: ${innerLost}`] : [] }
}

function addressesOf({ type, attrs, marks = [] }: LessonNode): string[] {
  const links = marks.flatMap((mark) => (mark.type === 'link' ? [String(mark.attrs?.href)] : []))
  if (type === 'embed') return [...links, String(attrs?.url)]
  return ['file', 'pdf', 'video', 'audio', 'image'].includes(type) ? [...links, type] : links
}

function comparable(href: string): string {
  const address = href.startsWith('//') ? `https:${href}` : href
  return (URL.parse(address)?.href ?? address).replace(/\/$/, '')
}

/** A player keeps the video's name and no more of an address. */
function playedAs(href: string, hrefs: ReadonlySet<string>): boolean {
  const url = URL.parse(href.startsWith('//') ? `https:${href}` : href)
  const id = url?.searchParams.get('v') ?? url?.pathname.split('/').filter(Boolean).at(-1)
  return id !== undefined && id.length > 5 && [...hrefs].some((one) => one.includes(id))
}
