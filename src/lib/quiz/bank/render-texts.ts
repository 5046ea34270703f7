import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadRenderContext } from '#lib/course/lesson/load-render-context.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { requireQuizReader } from '../permission.ts'
import type { RenderTexts } from './schema.ts'

/**
 * Renders texts of questions as HTML, formulas as MathML, with files signed for the actor; one statement at most. Refuses
 * with forbidden.
 */
export async function renderTexts(actor: Actor, { texts }: RenderTexts): Promise<{ html: string[] }> {
  requireQuizReader(actor)
  const all = { type: 'doc' as const, content: texts.flatMap(({ content }) => content) }
  return inTenant(actor, async (tx) => {
    const context = await loadRenderContext(tx, actor, all)
    return { html: texts.map((text) => renderLesson(text, context)) }
  })
}
