import { type LessonDoc, type LessonNode, walkNodes } from '#lib/core/shared/lesson-doc.ts'
import type { TransferReport } from '#lib/course/transfer/schema.ts'
import type { Source, SourceUnit } from './unit.ts'

/** The imported content: texts with titles, and the names of the files in the storage. */
export interface ImportedContent {
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

export interface ImportComparison {
  /** Letters and digits: white space and punctuation differ from format to format. */
  characters: Count
  files: Count
  links: Count
  kinds: Record<string, Omit<Count, 'missing'>>
  /** The first items that are neither imported nor listed in the report. */
  lost: string[]
}

/** Compares the content of a source with the imported content and the notes of the report. */
export function compareImport(source: Source, imported: ImportedContent): ImportComparison {
  const { notes } = imported.report
  const listed = source.units.filter((sourceUnit) => notes.some((note) => sourceUnit.isListedBy(note)))
  const expected = source.units.filter((sourceUnit) => !listed.includes(sourceUnit))
  const texts = imported.docs.map(textOf)
  const importedWords = wordCounts([...imported.titles, ...imported.files, ...texts].join('\n'))
  const lostWords = missingWords(wordCounts(expected.map(({ text }) => text).join('\n')), importedWords)
  const lostCharacters = lostWords.reduce((sum, [word, times]) => sum + word.length * times, 0)
  const wantedCharacters = countCharacters(expected)
  const listedCharacters = countCharacters(listed)
  const files = findMissingFiles(source, imported)
  const links = findMissingLinks(expected, imported)
  return {
    characters: {
      source: wantedCharacters + listedCharacters,
      imported: wantedCharacters - lostCharacters,
      listed: listedCharacters,
      missing: lostCharacters,
    },
    files: files.count,
    links: { ...links.count, source: links.count.source + listed.flatMap((sourceUnit) => sourceUnit.links).length },
    kinds: countByKind(source.units, listed),
    lost: [...lostWords.map(([word, times]) => `${word} ×${times}`), ...files.lost, ...links.lost].slice(0, 20),
  }
}

function countByKind(units: readonly SourceUnit[], listed: readonly SourceUnit[]): ImportComparison['kinds'] {
  const counts = new Map<string, Omit<Count, 'missing'>>()
  for (const sourceUnit of units) {
    const count = counts.get(sourceUnit.kind) ?? { source: 0, imported: 0, listed: 0 }
    const isListed = listed.includes(sourceUnit)
    counts.set(sourceUnit.kind, {
      source: count.source + 1,
      imported: count.imported + (isListed ? 0 : 1),
      listed: count.listed + (isListed ? 1 : 0),
    })
  }
  return Object.fromEntries(counts)
}

const WORD = /[\p{L}\p{N}]+/gu

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of normalizeText(text).matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Normalises superscripts of formulas, which are special characters in some formats and raised digits in others. */
const normalizeText = (text: string): string =>
  text.normalize('NFC').replace(/[\u2070-\u209f\u00b2\u00b3\u00b9]+/g, (raised) => ` ${raised.normalize('NFKC')}`)

const countCharacters = (units: readonly SourceUnit[]): number =>
  units.reduce((sum, { text }) => sum + [...normalizeText(text).matchAll(WORD)].join('').length, 0)

function missingWords(expected: ReadonlyMap<string, number>, present: ReadonlyMap<string, number>): [string, number][] {
  return [...expected].flatMap(([word, times]) => {
    const missing = times - (present.get(word) ?? 0)
    return missing > 0 ? [[word, missing] as [string, number]] : []
  })
}

function textOf(doc: LessonDoc): string {
  const parts: string[] = []
  for (const node of walkNodes(doc)) {
    if (node.type === 'text') parts.push(node.text ?? '')
    else
      parts.push(
        ` ${String(node.attrs?.alt ?? '')} ${String(node.attrs?.name ?? '')} ${String(node.attrs?.url ?? '')} `,
      )
  }
  return parts.join('')
}

/** A file is present by its name without extension, or counted in a note of its owner. */
function findMissingFiles(source: Source, { files, report }: Pick<ImportedContent, 'files' | 'report'>) {
  if (source.areNameless) return countMissingFiles(source, { files, report })
  const names = new Set(files.map(stemOf))
  const notImported = source.files.filter(({ name }) => !names.has(stemOf(name)))
  const notedCounts = new Map<string, number>()
  for (const { title, files = 0 } of report.notes) notedCounts.set(title, (notedCounts.get(title) ?? 0) + files)
  const lost = notImported.filter(({ name, owners }) => {
    const owner = [name, ...owners].find((noteTitle) => (notedCounts.get(noteTitle) ?? 0) > 0)
    if (owner !== undefined) notedCounts.set(owner, (notedCounts.get(owner) ?? 0) - 1)
    return owner === undefined
  })
  const total = source.files.length
  const listed = notImported.length - lost.length
  return {
    count: { source: total, imported: total - notImported.length, listed, missing: lost.length },
    lost: lost.map(({ name }) => `file ${name}`),
  }
}

function countMissingFiles(source: Source, { files, report }: Pick<ImportedContent, 'files' | 'report'>) {
  const total = source.files.length
  const imported = Math.min(files.length, total)
  const notedCount = report.notes.reduce((sum, { files = 0 }) => sum + files, 0)
  const listed = Math.min(notedCount, total - imported)
  const missing = total - imported - listed
  return { count: { source: total, imported, listed, missing }, lost: missing > 0 ? [`${missing} files`] : [] }
}

/** Returns the comparable part of a file name: the storage may shorten, number or re-type it. */
const stemOf = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.[a-z0-9]{1,5}$/, '')
    .replace(/ \(\d+\)$/, '')
    .slice(-150)

/** A link is present by its address, as an embedded video, or counted in a note; internal links only by their number. */
function findMissingLinks(expected: readonly SourceUnit[], { docs, report }: ImportedContent) {
  const hrefs = new Set<string>()
  let innerCount = 0
  for (const node of docs.flatMap((doc) => [...walkNodes(doc)])) {
    for (const href of linkAddressesOf(node)) {
      hrefs.add(normalizeAddress(href))
      if (!/^\w+:/.test(href)) innerCount += 1
    }
  }
  const all = expected.flatMap(({ links }) => links.map((href) => href.trim()).filter(Boolean))
  const outerLinks = all.filter((href) => /^(https?:|mailto:|\/\/)/i.test(href))
  const lost = outerLinks.filter((href) => !hrefs.has(normalizeAddress(href)) && !isEmbedded(href, hrefs))
  const innerMissing = Math.max(0, all.length - outerLinks.length - innerCount)
  const listed = report.notes.reduce((sum, { links = 0 }) => sum + links, 0)
  const missing = Math.max(0, lost.length + innerMissing - listed)
  const count = { source: all.length, imported: all.length - lost.length - innerMissing, listed, missing }
  return { count, lost: missing > 0 ? [...lost.map((href) => `link ${href}`), `inner links: ${innerMissing}`] : [] }
}

function linkAddressesOf({ type, attrs, marks = [] }: LessonNode): string[] {
  const links = marks.flatMap((mark) => (mark.type === 'link' ? [String(mark.attrs?.href)] : []))
  if (type === 'embed') return [...links, String(attrs?.url)]
  return ['file', 'pdf', 'video', 'audio', 'image'].includes(type) ? [...links, type] : links
}

function normalizeAddress(href: string): string {
  const address = href.startsWith('//') ? `https:${href}` : href
  return (URL.parse(address)?.href ?? address).replace(/\/$/, '')
}

/** An embedded player keeps only the video's id of an address. */
function isEmbedded(href: string, hrefs: ReadonlySet<string>): boolean {
  const url = URL.parse(href.startsWith('//') ? `https:${href}` : href)
  const id = url?.searchParams.get('v') ?? url?.pathname.split('/').filter(Boolean).at(-1)
  return id !== undefined && id.length > 5 && [...hrefs].some((embedded) => embedded.includes(id))
}
