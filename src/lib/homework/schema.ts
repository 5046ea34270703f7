import { z } from 'zod'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()

/** A criterion of a rubric with its levels. */
export const Criterion = z.object({
  id: z.string().min(1).max(40),
  title: textLine(120).min(1),
  levels: z
    .array(
      z.object({
        title: textLine(80).min(1),
        text: multilineText(300).default(''),
        points: z.number().int().min(0).max(1000),
      }),
    )
    .min(2)
    .max(6),
})
export type Criterion = z.output<typeof Criterion>

/** The chosen level of a criterion, by its index. */
export const RubricMark = z.object({ criterionId: z.string().min(1).max(40), level: z.number().int().min(0).max(5) })
export type RubricMark = z.infer<typeof RubricMark>

const share = z.number().min(0).max(1)

/**
 * A reviewer's annotation on a page of a submitted picture or PDF. Coordinates are shares of the page's width and
 * height, so that they are independent of the displayed size; `page` counts from 1.
 */
export const Annotation = z.object({
  id: z.string().min(1).max(40),
  fileId: id,
  page: z.number().int().min(1).max(2000),
  shape: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('point'), x: share, y: share }),
    z.object({ kind: z.literal('box'), x: share, y: share, width: share, height: share }),
    z.object({
      kind: z.literal('line'),
      points: z
        .array(z.tuple([share, share]))
        .min(2)
        .max(400),
    }),
  ]),
  text: multilineText(1000).default(''),
})
export type Annotation = z.output<typeof Annotation>
