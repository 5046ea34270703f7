import { posix } from 'node:path'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { childrenOf, type MarkupElement, textContent } from '#lib/course/transfer/markup.ts'
import { decodeUri, innerPath } from '#lib/course/transfer/package/package-reader.ts'
import { readTags } from '../parts.ts'
import { readQti12 } from '../qti12/read-qti12.ts'
import { importRefusal, type QuestionReader } from '../question-reader.ts'
import type { ImportFormat } from '../schema.ts'
import type { FindQuestionFile, FoundFile } from '../text/read-text.ts'
import { decodeXml, elementsOf, readXml } from '../xml.ts'
import { normalizeQti, qtiVersion } from './normalize.ts'
import { readQtiItem } from './read-item.ts'

export const QTI_MANIFEST = 'imsmanifest.xml'
/** Canvas writes tests twice: in its own format, and in the subset of Common Cartridge. */
const CANVAS_FOLDER = 'non_cc_assessments/'
const FILE_BASE = /^(\$|%24)IMS-CC-FILEBASE(\$|%24)\/?/i
const MAX_XML_BYTES = 8 * 1024 ** 2
const MAX_XML_FILES = 5000
const ADDRESS_ATTRIBUTES = ['src', 'data', 'href', 'uri']

/**
 * Parses all questions of a package of QTI 1.2, 2.1, 2.2 or 3.0, in the order of its tests and manifest. Refuses with
 * unprocessable: questions_unknown without an item, import_xml.
 */
export async function readQtiPackage(archive: Archive, reader: QuestionReader): Promise<ImportFormat> {
  const manifest = await readManifest(archive)
  const formats = new Set<ImportFormat>()
  for (const name of await questionFiles(archive, manifest)) {
    const bytes = await archive.read(name)
    if (!bytes || bytes.length > MAX_XML_BYTES) continue
    const root = readXml(bytes, name)
    const version = qtiVersion(root)
    if (root.name !== 'questestinterop' && !version) continue
    const find = await loadPackageFiles(archive, name, root)
    if (!version) {
      readQti12(root, decodeXml(bytes), reader, find, name)
      formats.add('qti12')
      continue
    }
    formats.add(version)
    const item = normalizeQti(root)
    const labels = manifest.labels.get(name)
    reader.add({ file: name, line: 1, title: item.attributes.title ?? '' }, (note) => {
      const question = readQtiItem(item, reader, note, find)
      return {
        ...question,
        tags: readTags(labels?.tags ?? [], note),
        ...(labels?.difficulty ? { difficulty: labels.difficulty } : {}),
      }
    })
  }
  const [format] = formats
  if (!format) throw importRefusal('questions_unknown')
  return format
}

interface Manifest {
  /** Paths in the order of the tests and the manifest. */
  order: string[]
  labels: ReadonlyMap<string, { tags: string[]; difficulty: number | null }>
}

async function readManifest(archive: Archive): Promise<Manifest> {
  const bytes = archive.names.includes(QTI_MANIFEST) ? await archive.read(QTI_MANIFEST) : null
  if (!bytes) return { order: [], labels: new Map() }
  const root = readXml(bytes, QTI_MANIFEST)
  const order: string[] = []
  const labels = new Map<string, { tags: string[]; difficulty: number | null }>()
  const tests: string[] = []
  for (const resource of elementsOf(root, 'resource')) {
    const path = innerPath(QTI_MANIFEST, resource.attributes.href ?? '')
    const files = childrenOf(resource, 'file').flatMap(
      ({ attributes }) => innerPath(QTI_MANIFEST, attributes.href ?? '') ?? [],
    )
    if (/test/i.test(resource.attributes.type ?? '') && path) tests.push(path)
    order.push(...(path ? [path] : []), ...files)
    if (path) labels.set(path, readLabels(resource))
  }
  return { order: [...(await itemsOfTests(archive, tests)), ...order], labels }
}

async function itemsOfTests(archive: Archive, tests: readonly string[]): Promise<string[]> {
  const items: string[] = []
  for (const path of tests.slice(0, 100)) {
    const bytes =
      archive.names.includes(path) && archive.sizeOf(path) <= MAX_XML_BYTES ? await archive.read(path) : null
    if (!bytes) continue
    const test = normalizeQti(readXml(bytes, path))
    items.push(
      ...elementsOf(test, 'assessmentItemRef').flatMap(
        ({ attributes }) => innerPath(path, attributes.href ?? '') ?? [],
      ),
    )
  }
  return items
}

const DIFFICULTIES: Record<string, number> = { 'very easy': 1, easy: 1, medium: 2, difficult: 3, 'very difficult': 3 }

/** Keywords and the difficulty of the metadata (IEEE LOM). */
function readLabels(resource: MarkupElement) {
  const metadata = childrenOf(resource, 'metadata')
  const values = (name: string) =>
    metadata.flatMap((element) => elementsOf(element, name)).map((element) => textContent(element).trim())
  const difficulty = metadata
    .flatMap((element) => elementsOf(element, 'difficulty'))
    .flatMap((element) => elementsOf(element, 'value'))
    .map((element) => DIFFICULTIES[textContent(element).trim().toLowerCase()])
  return { tags: values('keyword'), difficulty: difficulty[0] ?? null }
}

async function questionFiles(archive: Archive, { order }: Manifest): Promise<string[]> {
  const xml = archive.names.filter(
    (name) => /\.(xml|qti)$/i.test(name) && !name.startsWith('__MACOSX/') && name !== QTI_MANIFEST,
  )
  if (xml.length > MAX_XML_FILES) throw importRefusal('archive_many')
  const known = new Set(xml)
  const sorted = [...new Set([...order.filter((name) => known.has(name)), ...xml])]
  const canvas = new Set(
    sorted
      .filter((name) => name.startsWith(CANVAS_FOLDER))
      .map((name) => name.slice(CANVAS_FOLDER.length).split('.')[0]),
  )
  const isRepeated = (name: string) => /\/assessment_qti\.xml$/.test(name) && canvas.has(name.split('/')[0])
  return sorted.filter((name) => !isRepeated(name) && archive.sizeOf(name) <= MAX_XML_BYTES)
}

/** Loads the files of a document first, because texts are converted synchronously. */
async function loadPackageFiles(archive: Archive, page: string, root: MarkupElement): Promise<FindQuestionFile> {
  const found = new Map<string, FoundFile>()
  for (const address of addressesOf(root)) {
    const path = resolve(archive, page, address)
    if (!path || found.has(address)) continue
    const bytes = await archive.read(path)
    if (bytes) found.set(address, { key: path, name: posix.basename(path), bytes })
  }
  return (address) => found.get(address) ?? null
}

const MAX_ADDRESSES = 2000
const MAX_FILE_BYTES = 10 * 1024 ** 2

/** Addresses in attributes, and in escaped HTML. */
function addressesOf(root: MarkupElement): Set<string> {
  const addresses = new Set<string>()
  const pending = [root]
  for (let node = pending.pop(); node && addresses.size < MAX_ADDRESSES; node = pending.pop()) {
    for (const name of ADDRESS_ATTRIBUTES) if (node.attributes[name]) addresses.add(node.attributes[name])
    for (const child of node.children) {
      if (typeof child !== 'string') pending.push(child)
      else
        for (const [, value = ''] of child.matchAll(/(?:src|href|data)\s?=\s?["']([^"'<>]{1,500})["']/g))
          addresses.add(value.replaceAll('&amp;', '&'))
    }
  }
  return addresses
}

function resolve(archive: Archive, page: string, address: string): string | null {
  const base = FILE_BASE.exec(address)
  const clean = base ? decodeUri(address.slice(base[0].length).split(/[?#]/)[0] ?? '') : null
  const candidates =
    clean === null ? [innerPath(page, address), innerPath('', address)] : [`web_resources/${clean}`, clean]
  const path = candidates.find(
    (candidate) => candidate && archive.names.includes(candidate) && !/\.(xml|qti)$/i.test(candidate),
  )
  return path && archive.sizeOf(path) <= MAX_FILE_BYTES ? path : null
}
