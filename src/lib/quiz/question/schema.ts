import { z } from 'zod'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { isStorable, multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { DecimalText } from './decimal-schema.ts'
import { QuestionDoc } from './rich-text-schema.ts'

/** Id of an option, prompt, choice, item, gap or region: unique within its question and kept by new versions. */
const PartId = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'format')
/** Share of the points: 1 is the full score, a negative one deducts. */
const fraction = z.number().min(-1).max(1)
const share = z.number().min(0).max(1)
/** Points with at most two decimals. */
export const Points = z.number().min(0).max(1000).multipleOf(0.01)

export const MAX_QUESTION_PARTS = 50
const parts = <T extends z.ZodType>(part: T) => z.array(part).max(MAX_QUESTION_PARTS)

export const ChoiceOption = z.object({
  id: PartId,
  content: QuestionDoc,
  fraction,
  explanation: QuestionDoc.nullable().default(null),
})
export type ChoiceOption = z.output<typeof ChoiceOption>

/** A text that is accepted as an answer. With `wildcards` of the question, `*` matches any text. */
export const AcceptedText = z.object({
  id: PartId,
  text: textLine(500),
  fraction,
  explanation: QuestionDoc.nullable().default(null),
})
export type AcceptedText = z.output<typeof AcceptedText>

const acceptedNumber = { id: PartId, fraction, explanation: QuestionDoc.nullable().default(null) }
/** A value with a tolerance, or a range; bounds are inclusive. */
export const AcceptedNumber = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('value'), value: DecimalText, tolerance: DecimalText.default('0'), ...acceptedNumber }),
  z.object({ kind: z.literal('range'), min: DecimalText, max: DecimalText, ...acceptedNumber }),
])
export type AcceptedNumber = z.output<typeof AcceptedNumber>

/** How typed texts are compared. */
const textComparison = {
  caseSensitive: z.boolean().default(false),
  /** Spaces at both ends and repeated spaces are ignored. */
  trim: z.boolean().default(true),
  wildcards: z.boolean().default(false),
  /** A full stop at the end and Latin letters inside Cyrillic words are ignored, unless this is false. */
  lenient: z.boolean().optional(),
}

/** Gaps share the points of their question in the proportion of their weights. */
const mixedGap = { id: PartId, weight: z.number().min(0).max(1000).default(1) }

/** A gap of a kind of its own: a text, a number, an option of a list, or several options. */
export const MixedGap = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), ...mixedGap, accepted: parts(AcceptedText), ...textComparison }),
  z.object({ kind: z.literal('number'), ...mixedGap, accepted: parts(AcceptedNumber) }),
  z.object({ kind: z.literal('menu'), ...mixedGap, options: parts(AcceptedText) }),
  z.object({ kind: z.literal('several'), ...mixedGap, options: parts(AcceptedText) }),
])
export type MixedGap = z.output<typeof MixedGap>

/** A region of an image; coordinates and radii are shares of its width and height. */
export const HotspotShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rectangle'), x: share, y: share, width: share, height: share }),
  z.object({ kind: z.literal('ellipse'), x: share, y: share, radiusX: share, radiusY: share }),
  z.object({
    kind: z.literal('polygon'),
    points: z
      .array(z.tuple([share, share]))
      .min(3)
      .max(60),
  }),
])
export type HotspotShape = z.output<typeof HotspotShape>

const common = {
  stem: QuestionDoc,
  /** Explanation of the whole question. */
  explanation: QuestionDoc.nullable().default(null),
  points: Points.default(1),
  /** Points deducted for an entirely wrong answer in a test with negative marks. */
  penalty: Points.default(0),
  /** Whether a partly right answer gets a part of the points in a test with partial credit. */
  partialCredit: z.boolean().default(true),
}

/**
 * The content of a version of a question. Unfinished questions can be stored: `questionIssues` returns what is missing,
 * and only questions without issues are given to students.
 */
export const QuestionContent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('single'), ...common, options: parts(ChoiceOption), shuffle: z.boolean().default(true) }),
  z.object({
    type: z.literal('multiple'),
    ...common,
    options: parts(ChoiceOption),
    shuffle: z.boolean().default(true),
  }),
  z.object({
    type: z.literal('trueFalse'),
    ...common,
    correct: z.boolean().nullable(),
    trueExplanation: QuestionDoc.nullable().default(null),
    falseExplanation: QuestionDoc.nullable().default(null),
  }),
  z.object({ type: z.literal('shortText'), ...common, accepted: parts(AcceptedText), ...textComparison }),
  z.object({
    type: z.literal('number'),
    ...common,
    accepted: parts(AcceptedNumber),
    /** Shown after the field; not part of the answer. */
    unit: textLine(40).default(''),
  }),
  z.object({
    type: z.literal('essay'),
    ...common,
    minWords: z.int().min(1).max(10_000).nullable().default(null),
    maxWords: z.int().min(1).max(10_000).nullable().default(null),
    sampleAnswer: QuestionDoc.nullable().default(null),
  }),
  z.object({
    type: z.literal('fileUpload'),
    ...common,
    /** Kinds of files (`image`, `doc`) or file name extensions (`.psd`); empty accepts all. */
    acceptTypes: z
      .array(z.string().regex(/^(?:image|video|audio|doc|\.[a-z0-9]{1,10})$/))
      .max(30)
      .default([]),
    maxFiles: z.int().min(1).max(10).default(1),
    maxBytes: z
      .int()
      .min(1024)
      .max(1024 ** 3)
      .default(100 * 1024 ** 2),
  }),
  z.object({
    type: z.literal('matching'),
    ...common,
    prompts: parts(z.object({ id: PartId, content: QuestionDoc, choiceId: PartId.nullable() })),
    /** More choices than prompts are distractors; one choice may belong to several prompts. */
    choices: parts(z.object({ id: PartId, content: QuestionDoc })),
  }),
  z.object({
    type: z.literal('ordering'),
    ...common,
    /** In the correct order. */
    items: parts(z.object({ id: PartId, content: QuestionDoc })),
  }),
  z.object({
    type: z.literal('gapText'),
    ...common,
    /** The stem contains `[[id]]` at the position of a gap. */
    gaps: parts(z.object({ id: PartId, accepted: parts(AcceptedText) })),
    ...textComparison,
  }),
  z.object({
    type: z.literal('gapSelect'),
    ...common,
    gaps: parts(z.object({ id: PartId, options: parts(z.object({ id: PartId, text: textLine(200), fraction })) })),
  }),
  z.object({ type: z.literal('gapMixed'), ...common, gaps: parts(MixedGap) }),
  z.object({
    type: z.literal('hotspot'),
    ...common,
    imageFileId: z.uuid().nullable(),
    /** Description of the image for students who cannot see it. */
    imageAlt: textLine(500).default(''),
    regions: parts(z.object({ id: PartId, label: textLine(120), shape: HotspotShape, correct: z.boolean() })),
  }),
  z.object({
    type: z.literal('scale'),
    ...common,
    min: z.int().min(-1000).max(1000),
    max: z.int().min(-1000).max(1000),
    step: z.int().min(1).max(1000).default(1),
    minLabel: textLine(80).default(''),
    maxLabel: textLine(80).default(''),
    /** The range of correct values, both inclusive; null: every answer gets the points. */
    correct: z
      .object({ min: z.int().min(-1000).max(1000), max: z.int().min(-1000).max(1000) })
      .nullable()
      .default(null),
  }),
])
export type QuestionContent = z.output<typeof QuestionContent>
export type QuestionContentInput = z.input<typeof QuestionContent>
export type QuestionContentOfType<T extends QuestionContent['type']> = Extract<QuestionContent, { type: T }>

const tag = textLine(40).min(1)

/** Properties for lists and random sections; a change creates no new version. */
export const QuestionLabels = z.object({
  tags: z.array(tag).max(20).default([]),
  difficulty: z.int().min(1).max(3).default(2),
  locale: z.enum(LOCALES).default('uk'),
})
export type QuestionLabels = z.output<typeof QuestionLabels>

/** A question without its ids, for imports, exports and course bundles. */
export const QuestionDraft = QuestionLabels.extend({ content: QuestionContent })
export type QuestionDraft = z.output<typeof QuestionDraft>

const typedText = z.string().max(500).refine(isStorable, 'format')

/** A student's answer. Its type must match the question, and its ids must exist in it. */
export const AnswerValue = z.discriminatedUnion('type', [
  z.object({ type: z.literal('single'), optionId: PartId }),
  z.object({ type: z.literal('multiple'), optionIds: z.array(PartId).max(MAX_QUESTION_PARTS) }),
  z.object({ type: z.literal('trueFalse'), value: z.boolean() }),
  z.object({ type: z.literal('shortText'), text: typedText }),
  /** As typed; `parseDecimal` parses it. */
  z.object({ type: z.literal('number'), text: z.string().max(60).refine(isStorable, 'format') }),
  z.object({ type: z.literal('essay'), text: multilineText(100_000) }),
  z.object({ type: z.literal('fileUpload'), fileIds: z.array(z.uuid()).max(10) }),
  z.object({ type: z.literal('matching'), choices: z.record(PartId, PartId) }),
  z.object({ type: z.literal('ordering'), itemIds: z.array(PartId).max(MAX_QUESTION_PARTS) }),
  z.object({ type: z.literal('gapText'), gaps: z.record(PartId, typedText) }),
  z.object({ type: z.literal('gapSelect'), gaps: z.record(PartId, PartId) }),
  z.object({
    type: z.literal('gapMixed'),
    /** Of gaps for texts and numbers. */
    texts: z.record(PartId, typedText),
    /** Options of gaps with lists. */
    chosen: z.record(PartId, z.array(PartId).max(MAX_QUESTION_PARTS)),
  }),
  z.object({ type: z.literal('hotspot'), points: z.array(z.object({ x: share, y: share })).max(MAX_QUESTION_PARTS) }),
  z.object({ type: z.literal('scale'), value: z.int().min(-1000).max(1000) }),
])
export type AnswerValue = z.output<typeof AnswerValue>
export type AnswerValueOfType<T extends AnswerValue['type']> = Extract<AnswerValue, { type: T }>
