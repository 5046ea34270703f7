import { childAt, childrenOf, type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import type { FindPackageFile } from '#lib/course/transfer/package/package-reader.ts'
import type { CartridgeTest, PackageSource, ReadTest } from '#lib/course/transfer/package/test-reader.ts'
import { readQti12 } from '../qti12/read-qti12.ts'
import type { ReadQuestion } from '../question-reader.ts'
import { TextReader } from '../text/read-text.ts'
import { decodeXml, elementsOf, readXml } from '../xml.ts'
import type { BundleSection } from './bundle-schema.ts'
import { cartridgeSettings } from './cartridge-settings.ts'
import { type CourseTests, fileInArchive } from './course-tests.ts'

const SETTINGS_FILE = /(^|\/)assessment_meta\.xml$/

/**
 * A test of a cartridge (QTI 1.2). Canvas writes it twice; its own form says more than that of Common Cartridge, and a
 * third file has the settings. Null without a document of QTI.
 */
export async function readCartridgeTest(
  tests: CourseTests,
  source: PackageSource,
  test: CartridgeTest,
): Promise<ReadTest | null> {
  const document = await readDocument(source, test, 'assessment')
  const assessment = document && elementsOf(document.root, 'assessment')[0]
  if (!assessment) return null
  const { items, find } = readItems(tests, source, test, document)
  const meta = test.files.find((file) => SETTINGS_FILE.test(file))
  const bytes = meta ? await source.archive.read(meta) : null
  const intro = new TextReader(tests.questionReader(source.reader), () => {}, find)
  const { settings, isHidden, isReduced } = cartridgeSettings({
    meta: bytes ? readXml(bytes, meta ?? '') : null,
    assessment,
    readIntro: (html) => intro.optional(intro.html(html)),
  })
  const title = test.title || settings.title || assessment.attributes.title || test.id
  const builder = new SectionBuilder(tests, items, test.id, title)
  builder.addSections(assessment)
  const isLost = isReduced || builder.isReduced
  const testId = tests.addTest({ ...settings, title }, builder.sections, [...items.values()], isLost)
  return { testId, title, hidden: isHidden, hasPassMark: false }
}

/** A bank of questions of a cartridge; random sections name it. */
export async function readCartridgeBank(
  tests: CourseTests,
  source: PackageSource,
  bank: CartridgeTest,
): Promise<boolean> {
  const document = await readDocument(source, bank, 'item')
  if (!document) return false
  const [element] = elementsOf(document.root, 'objectbank')
  const { items } = readItems(tests, source, bank, document)
  if (items.size === 0) return false
  const fields = element ? elementsOf(element, 'qtimetadatafield') : []
  const named = fields.find((field) => textAtPath(field, 'fieldlabel') === 'bank_title')
  const title = textAtPath(named, 'fieldentry') || bank.title
  const bankId = tests.bankId(element?.attributes.ident ?? bank.id, title)
  for (const question of items.values()) tests.addQuestion(question, bankId)
  tests.addBankVerdict(title, [...items.values()])
  return true
}

interface Document {
  name: string
  bytes: Buffer
  root: MarkupElement
}

/** The first document of QTI that has an element of a name, Canvas's own form before the other. */
async function readDocument(
  { archive }: PackageSource,
  { files }: CartridgeTest,
  name: string,
): Promise<Document | null> {
  const candidates = files.filter((file) => /\.(xml|qti)$/i.test(file) && !SETTINGS_FILE.test(file))
  const sorted = candidates.toSorted((a, b) => Number(b.endsWith('.qti')) - Number(a.endsWith('.qti')))
  for (const file of sorted) {
    const bytes = await archive.read(file)
    if (!bytes) continue
    const root = readXml(bytes, file)
    if (root.name === 'questestinterop' && elementsOf(root, name).length > 0) return { name: file, bytes, root }
  }
  return null
}

function readItems(
  tests: CourseTests,
  { reader }: PackageSource,
  { find }: CartridgeTest,
  { name, bytes, root }: Document,
) {
  const findFile: FindPackageFile = find(name)
  const findText = (address: string) => {
    const file = findFile(address)
    return file ? fileInArchive(file.path, file.name) : null
  }
  const items = readQti12(root, decodeXml(bytes), tests.questionReader(reader), findText, name)
  return { items, find: findText }
}

/** Sections of a test: those of QTI that draw are random, all others are lists of questions. */
class SectionBuilder {
  readonly sections: BundleSection[] = []
  /** Whether a section says more than ours can. */
  isReduced = false
  readonly #tests: CourseTests
  readonly #items: ReadonlyMap<MarkupElement, ReadQuestion>
  readonly #key: string
  readonly #title: string

  constructor(tests: CourseTests, items: ReadonlyMap<MarkupElement, ReadQuestion>, key: string, title: string) {
    this.#tests = tests
    this.#items = items
    this.#key = key
    this.#title = title
  }

  addSections(parent: MarkupElement): void {
    for (const section of childrenOf(parent, 'section')) {
      const selection = childAt(section, 'selection_ordering', 'selection')
      const count = Number.parseInt(textAtPath(selection, 'selection_number'), 10)
      if (selection && count >= 1) this.#addDrawn(section, selection, Math.min(count, 200))
      else this.#addListed(section)
    }
  }

  /** Items in the order of the document, with the sections between them. */
  #addListed(section: MarkupElement): void {
    const title = questionTitle(section)
    let isFirst = true
    let pending: MarkupElement[] = []
    const close = () => {
      if (pending.length > 0) this.#addFixed(isFirst ? title : '', pending, null)
      if (pending.length > 0) isFirst = false
      pending = []
    }
    for (const child of section.children) {
      if (typeof child === 'string') continue
      if (child.name === 'item') pending.push(child)
      else if (child.name === 'section') {
        close()
        this.addSections({ ...section, children: [child] })
      }
    }
    close()
  }

  #addDrawn(section: MarkupElement, selection: MarkupElement, count: number): void {
    const bank = textAtPath(selection, 'sourcebank_ref')
    const points = pointsOf(textAtPath(selection, 'selection_extension', 'points_per_item'))
    const items = elementsOf(section, 'item')
    const title = questionTitle(section)
    if (bank === '' && count >= items.length) {
      this.#addFixed(title, items, points)
      return
    }
    // A group with its own items is a bank of its own.
    const bankTitle = [this.#title, title || String(this.sections.length + 1)].join(': ')
    const key = bank || `${this.#key} ${section.attributes.ident ?? this.sections.length}`
    const bankId = this.#tests.bankId(key, bank === '' ? bankTitle : '')
    for (const item of items) this.#add(item, bankId)
    this.sections.push({ pick: 'random', title, bankId, tags: [], difficulty: null, count, points })
  }

  #addFixed(title: string, items: readonly MarkupElement[], points: number | null): void {
    const questions = items.flatMap((item) => {
      const questionId = this.#add(item, null)
      return questionId ? [{ questionId, points }] : []
    })
    if (questions.length > 0) this.sections.push({ pick: 'fixed', title, questions })
  }

  #add(item: MarkupElement, bankId: string | null): string | null {
    const question = this.#items.get(item)
    return question ? this.#tests.addQuestion(question, bankId) : null
  }
}

const pointsOf = (text: string): number | null => {
  const points = Number.parseFloat(text)
  return Number.isFinite(points) && points >= 0 ? Math.min(1000, Math.round(points * 100) / 100) : null
}

const questionTitle = ({ attributes }: MarkupElement): string => {
  const title = (attributes.title ?? '').replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  return title.slice(0, 160).toWellFormed().trim()
}
