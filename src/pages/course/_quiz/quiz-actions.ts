import type { z } from 'zod'
import { readInstant } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { duplicateQuiz } from '#lib/quiz/copy-quizzes.ts'
import { removeOverride, setOverride } from '#lib/quiz/overrides.ts'
import {
  createQuiz,
  deleteQuiz,
  getQuiz,
  publishQuiz,
  restoreQuiz,
  setQuizHidden,
  unpublishQuiz,
  updateQuiz,
} from '#lib/quiz/quiz.ts'
import { StartRegrade } from '#lib/quiz/regrade/schema.ts'
import { startRegrade } from '#lib/quiz/regrade/start-regrade.ts'
import { CreateQuiz, SetOverride, SetSections, UpdateQuiz } from '#lib/quiz/schema.ts'
import { setSections } from '#lib/quiz/sections.ts'
import { formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'
import { bankActions } from './bank-actions.ts'
import { FIELD_OF_SETTING, readNumberField, readQuizSettings, splitTags } from './quiz-fields.ts'
import { addQuestions, changeSection, moveById, sectionInputs } from './section-changes.ts'

type Sections = z.input<typeof SetSections>['sections']

/** Form actions of the tests tab; each returns the path to redirect to. */
export function quizActions(actor: Actor, courseId: string, here: URL) {
  const tests = `/course/edit/${courseId}?tab=tests`
  const quizOf = (form: FormData) => ({ quizId: parseId(formText(form, 'quizId')) })
  const hrefOf = (quizId: string, notice?: string) => `${tests}&quiz=${quizId}${notice ? `&notice=${notice}` : ''}`
  const partHref = (quizId: string, part: string, notice: string) =>
    `${tests}&quiz=${quizId}&part=${part}&notice=${notice}`
  const direction = (form: FormData) => (formText(form, 'by') === '-1' ? -1 : 1)

  const change =
    (run: (actor: Actor, input: { quizId: string }) => Promise<unknown>, notice: string) => async (form: FormData) => {
      const { quizId } = quizOf(form)
      await run(actor, { quizId })
      return hrefOf(quizId, notice)
    }
  /** Changes the sections of the revision that the page was rendered with. */
  const changeSections = (make: (sections: Sections, form: FormData) => Sections) => async (form: FormData) => {
    const { quizId } = quizOf(form)
    const quiz = await getQuiz(actor, { quizId })
    const revision = readNumberField(form, 'revision') ?? quiz.revision
    const sections = make(sectionInputs(quiz.sections), form)
    await setSections(actor, SetSections.parse({ quizId, revision, sections }))
    return hrefOf(quizId, 'sections')
  }
  const sectionOf = (form: FormData) => parseId(formText(form, 'sectionId'))
  const selected = (form: FormData) => form.getAll('questionId').map((id) => parseId(String(id)))
  const saveSection = changeSections((sections, form) =>
    changeSection(sections, sectionOf(form), (section) =>
      section.pick === 'random'
        ? {
            ...section,
            title: formText(form, 'title'),
            count: readNumberField(form, 'count') ?? 1,
            bankId: formText(form, 'bankId') || null,
            tags: splitTags(formText(form, 'tags')),
            difficulty: readNumberField(form, 'difficulty'),
            points: readNumberField(form, 'points'),
          }
        : {
            ...section,
            title: formText(form, 'title'),
            questions: section.questions.map(({ questionId }) => ({
              questionId,
              points: readNumberField(form, `points.${questionId}`),
            })),
          },
    ),
  )

  return {
    ...bankActions(actor, courseId, here),
    createQuiz: async (form: FormData) => {
      const { quizId } = await createQuiz(
        actor,
        CreateQuiz.parse({ ...quizOf(form), courseId, title: formText(form, 'title') }),
      )
      return hrefOf(quizId)
    },
    duplicateQuiz: async (form: FormData) => {
      const copy = { quizId: parseId(formText(form, 'quizId')), newQuizId: parseId(formText(form, 'newQuizId')) }
      const { quizId } = await duplicateQuiz(actor, copy)
      return hrefOf(quizId, 'duplicated')
    },
    publishQuiz: change(publishQuiz, 'published'),
    unpublishQuiz: change(unpublishQuiz, 'unpublished'),
    hideQuiz: change((by, { quizId }) => setQuizHidden(by, { quizId, hidden: true }), 'hidden'),
    showQuiz: change((by, { quizId }) => setQuizHidden(by, { quizId, hidden: false }), 'shown'),
    deleteQuiz: async (form: FormData) => {
      const { quizId } = await deleteQuiz(actor, quizOf(form))
      return `${tests}&notice=deleted&deletedQuiz=${quizId}`
    },
    restoreQuiz: change(restoreQuiz, 'restored'),
    saveQuiz: async (form: FormData) => {
      const { quizId } = quizOf(form)
      const revision = readNumberField(form, 'version') ?? 1
      await updateQuiz(actor, UpdateQuiz.parse({ quizId, revision, settings: readQuizSettings(form, actor) }))
      return partHref(quizId, 'settings', 'saved')
    },
    addSection: changeSections((sections, form) => [
      ...sections,
      formText(form, 'pick') === 'random'
        ? { id: sectionOf(form), pick: 'random', title: '', count: 1 }
        : { id: sectionOf(form), pick: 'fixed', title: '', questions: [] },
    ]),
    saveSection: async (form: FormData) => `${await saveSection(form)}&section=${sectionOf(form)}`,
    moveSection: changeSections((sections, form) =>
      moveById(
        sections,
        indexOf(sections, ({ id }) => id === sectionOf(form)),
        direction(form),
      ),
    ),
    removeSection: changeSections((sections, form) => changeSection(sections, sectionOf(form), () => null)),
    addToSection: changeSections((sections, form) => addQuestions(sections, sectionOf(form), selected(form))),
    moveInSection: changeSections((sections, form) =>
      changeSection(sections, sectionOf(form), (section) => {
        if (section.pick !== 'fixed') return section
        const index = indexOf(section.questions, ({ questionId }) => questionId === formText(form, 'questionId'))
        return { ...section, questions: moveById(section.questions, index, direction(form)) }
      }),
    ),
    removeFromSection: changeSections((sections, form) =>
      changeSection(sections, sectionOf(form), (section) =>
        section.pick === 'fixed'
          ? {
              ...section,
              questions: section.questions.filter((entry) => entry.questionId !== formText(form, 'questionId')),
            }
          : section,
      ),
    ),
    addOverride: async (form: FormData) => {
      const { quizId } = quizOf(form)
      const [kind = '', targetId = ''] = formText(form, 'target').split(':')
      if (!targetId) throw new Refusal('invalid', { fields: { target: ['required'] } })
      const minutes = readNumberField(form, 'timeLimit')
      await setOverride(
        actor,
        SetOverride.parse({
          quizId,
          studentId: kind === 'student' ? parseId(targetId) : null,
          groupId: kind === 'group' ? parseId(targetId) : null,
          openAt: readInstant(form, 'openAt', actor.tenantTimeZone),
          closeAt: readInstant(form, 'closeAt', actor.tenantTimeZone),
          timeLimitSec: minutes === null ? null : Math.round(minutes * 60),
          extraAttempts: readNumberField(form, 'extraAttempts') ?? 0,
          extraTimeSec: Math.round((readNumberField(form, 'extraMinutes') ?? 0) * 60),
        }),
      )
      return partHref(quizId, 'overrides', 'override')
    },
    startRegrade: async (form: FormData) => {
      const { quizId } = quizOf(form)
      const keys = form.getAll('key').map((key) => {
        const [questionId, version] = String(key).split(':')
        return { questionId, version: Number(version) }
      })
      await startRegrade(actor, StartRegrade.parse({ quizId, regradeId: formText(form, 'regradeId'), keys }))
      return partHref(quizId, 'regrade', 'regrading')
    },
    removeOverride: async (form: FormData) => {
      const { quizId } = quizOf(form)
      await removeOverride(actor, { quizId, overrideId: parseId(formText(form, 'overrideId')) })
      return partHref(quizId, 'overrides', 'overrideRemoved')
    },
  }
}

function indexOf<T>(list: readonly T[], isFound: (part: T) => boolean): number {
  const index = list.findIndex(isFound)
  if (index < 0) throw new Refusal('not_found')
  return index
}

/** The errors of a refused settings form by field. */
export function settingErrors(errors: Readonly<Record<string, readonly string[]>>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, [message]]) => {
      const name = path.replace(/^settings\./, '')
      return [FIELD_OF_SETTING[name] ?? name, message]
    }),
  )
}
