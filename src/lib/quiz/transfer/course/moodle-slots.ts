import { isDeepStrictEqual } from 'node:util'
import { parseJson } from '#lib/core/shared/text/json.ts'
import { childAt, type MarkupElement, textAtPath } from '#lib/course/transfer/markup.ts'
import type { BundleSection } from './bundle-schema.ts'
import type { BankQuestion, MoodleBank } from './moodle-bank.ts'
import { listOf } from './moodle-elements.ts'

type RandomSection = Extract<BundleSection, { pick: 'random' }>

/**
 * The slots of a quiz as sections. Moodle draws each random question by itself; those that follow each other with the same
 * conditions become one section.
 */
export class MoodleSlots {
  readonly sections: BundleSection[] = []
  /** The fixed questions of the quiz. */
  readonly questions: BankQuestion[] = []
  /** Whether a slot was omitted or drawn under other conditions. */
  isReduced = false
  readonly #bank: MoodleBank
  readonly #used = new Set<string>()

  constructor(bank: MoodleBank) {
    this.#bank = bank
  }

  read(quiz: MarkupElement): void {
    const headings = new Map(
      listOf(quiz, 'sections', 'section').map((section) => [
        textAtPath(section, 'firstslot'),
        textAtPath(section, 'heading'),
      ]),
    )
    const instances = listOf(quiz, 'question_instances', 'question_instance')
    // Moodle before 2.8 names the order in a list of its own.
    const order = textAtPath(quiz, 'questions').split(',')
    const slotOf = (instance: MarkupElement, index: number) =>
      Number(textAtPath(instance, 'slot')) || order.indexOf(textAtPath(instance, 'question')) + 1 || index + 1
    const slots = instances.map((instance, index) => ({ instance, slot: slotOf(instance, index) }))
    for (const { instance, slot } of slots.toSorted((a, b) => a.slot - b.slot)) {
      const heading = headings.get(String(slot))
      this.#addSlot(instance, heading === undefined ? null : heading.slice(0, 160).toWellFormed().trim())
    }
  }

  /** `heading`: the slot begins a section of Moodle. */
  #addSlot(instance: MarkupElement, heading: string | null): void {
    const points = markOf(textAtPath(instance, 'maxmark') || textAtPath(instance, 'grade'))
    const question = this.#questionOf(instance)
    const random = this.#randomOf(instance, question)
    if (random) this.#addRandom({ ...random, title: heading ?? '', points }, heading !== null)
    else if (question) this.#addQuestion(question, points, heading)
    else this.isReduced = true
  }

  #questionOf(instance: MarkupElement): BankQuestion | undefined {
    const reference = childAt(instance, 'question_reference')
    return reference
      ? this.#bank.entry(textAtPath(reference, 'questionbankentryid'))
      : this.#bank.question(textAtPath(instance, 'questionid') || textAtPath(instance, 'question'))
  }

  #addQuestion(question: BankQuestion, points: number | null, heading: string | null): void {
    this.questions.push(question)
    if (!question.id) return
    if (this.#used.has(question.id)) {
      this.isReduced = true
      return
    }
    this.#used.add(question.id)
    const last = this.sections.at(-1)
    const entry = { questionId: question.id, points }
    if (last?.pick === 'fixed' && heading === null) last.questions.push(entry)
    else this.sections.push({ pick: 'fixed', title: heading ?? '', questions: [entry] })
  }

  #addRandom(random: RandomSection, startsSection: boolean): void {
    const last = this.sections.at(-1)
    if (!startsSection && last?.pick === 'random' && last.count < 200 && isSamePool(last, random)) last.count += 1
    else this.sections.push(random)
  }

  /** The conditions of a random slot: of Moodle 4, of 3, and of earlier versions. */
  #randomOf(instance: MarkupElement, question: BankQuestion | undefined): RandomSection | null {
    const set = childAt(instance, 'question_set_reference')
    if (set) return this.#random(readFilter(textAtPath(set, 'filtercondition')))
    if (question?.randomOf) return this.#random({ ...question.randomOf, tags: [], tagIds: [] })
    const categoryId = textAtPath(instance, 'questioncategoryid')
    if (question || categoryId === '') return null
    const tags = listOf(instance, 'tags', 'tag').map((tag) => textAtPath(tag, 'tagname'))
    const withSubcategories = textAtPath(instance, 'includingsubcategories') === '1'
    return this.#random({ categoryId, withSubcategories, tags, tagIds: [] })
  }

  #random({ categoryId, withSubcategories, tags, tagIds }: RandomFilter): RandomSection {
    const names = [...tags, ...tagIds.flatMap((id) => this.#bank.tagName(id) ?? [])]
    if (names.length < tags.length + tagIds.length) this.isReduced = true
    // Our sections draw from one bank.
    if (withSubcategories && this.#bank.hasSubcategories(categoryId)) this.isReduced = true
    const bankId = this.#bank.bankId(categoryId) ?? this.#bank.missingBankId(categoryId)
    const used = [...new Set(names.map((name) => name.slice(0, 40).toWellFormed().trim()))].filter(Boolean)
    return { pick: 'random', title: '', bankId, tags: used.slice(0, 10), difficulty: null, count: 1, points: null }
  }
}

const isSamePool = (a: RandomSection, b: RandomSection): boolean =>
  isDeepStrictEqual({ ...a, title: '', count: 0 }, { ...b, title: '', count: 0 })

function markOf(text: string): number | null {
  const mark = Number.parseFloat(text)
  return Number.isFinite(mark) && mark >= 0 ? Math.min(1000, Math.round(mark * 100) / 100) : null
}

interface RandomFilter {
  categoryId: string
  withSubcategories: boolean
  tags: string[]
  tagIds: string[]
}

/** The condition of Moodle 4: `questioncategoryid` and `tags` in 4.0 to 4.2, a `filter` since 4.3. */
function readFilter(json: string): RandomFilter {
  const condition = asObject(parseJson(json))
  const filter = objectAt(condition, 'filter')
  const category = objectAt(filter, 'category')
  const [categoryId] = textsAt(category, 'values')
  if (categoryId !== undefined) {
    const withSubcategories = isYes(objectAt(category, 'filteroptions').includesubcategories)
    return { categoryId, withSubcategories, tags: [], tagIds: textsAt(objectAt(filter, 'qtagids'), 'values') }
  }
  // Tags are `id,name` there.
  const tags = textsAt(condition, 'tags').map((tag) => tag.replace(/^\d+,/, ''))
  const withSubcategories = isYes(condition.includingsubcategories)
  return { categoryId: String(condition.questioncategoryid ?? ''), withSubcategories, tags, tagIds: [] }
}

const isYes = (value: unknown): boolean => value === true || value === 1 || value === '1'

type JsonObject = Record<string, unknown>

const objectAt = (value: JsonObject, name: string): JsonObject => asObject(value[name])

const asObject = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

const textsAt = (value: JsonObject, name: string): string[] => {
  const list = value[name]
  return Array.isArray(list) ? list.slice(0, 50).map(String) : []
}
