import { readInstant } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { LEVELS, PROGRESSIONS, START_FROM } from '#lib/core/shared/learning.ts'
import { updateCourse } from '#lib/course/settings.ts'
import { SetCourseStaff, STAFF_ROLES, UpdateCourse } from '#lib/course/settings-schema.ts'
import { setStaff } from '#lib/course/staff.ts'
import { readCoverField } from '../../_request/cover-field.ts'
import { formNumber, formText } from '../../_request/form-actions.ts'

/** Form actions of the settings tab; each returns the path to redirect to. */
export function courseSettingsActions(actor: Actor, courseId: string) {
  const settings = `/course/edit/${courseId}?tab=settings`
  return {
    update: async (form: FormData) => {
      const fileIds = await filesOf(actor, form)
      await updateCourse(actor, UpdateCourse.parse({ courseId, ...settingsOf(form, actor.tenantTimeZone), ...fileIds }))
      return `${settings}&notice=saved`
    },
    setStaff: async (form: FormData) => {
      const staff = STAFF_ROLES.flatMap((role) => form.getAll(role).map((id) => ({ memberId: String(id), role })))
      await setStaff(actor, SetCourseStaff.parse({ courseId, staff }))
      return `${settings}&notice=staff#team`
    },
  }
}

/**
 * Fields that are missing in a form are not changed: the description needs a script, and curators' forms do not contain
 * it.
 */
function settingsOf(form: FormData, zone: string) {
  return {
    version: formNumber(form, 'version') ?? 1,
    title: formText(form, 'title'),
    shortDescription: formText(form, 'shortDescription'),
    ...(form.has('description') ? { description: documentOf(formText(form, 'description')) } : {}),
    category: formText(form, 'category').trim() || null,
    tags: tagsOf(formText(form, 'tags')),
    language: formText(form, 'language') === 'en' ? ('en' as const) : ('uk' as const),
    level: LEVELS.find((level) => level === formText(form, 'level')) ?? null,
    progression: PROGRESSIONS.find((progression) => progression === formText(form, 'progression')) ?? 'free',
    startFrom: START_FROM.find((start) => start === formText(form, 'startFrom')) ?? 'group',
    accessStart: readInstant(form, 'accessStart', zone),
    accessEnd: readInstant(form, 'accessEnd', zone),
    lessonNumbering: form.has('lessonNumbering'),
    seoTitle: formText(form, 'seoTitle'),
    seoDescription: formText(form, 'seoDescription'),
    estimatedMinutes: formNumber(form, 'estimatedMinutes'),
    homeworkSlaHours: formNumber(form, 'homeworkSlaHours'),
  }
}

async function filesOf(actor: Actor, form: FormData) {
  const promo = form.has('promoVideoFileId') ? { promoVideoFileId: formText(form, 'promoVideoFileId') || null } : {}
  return { ...promo, ...(await readCoverField(actor, form)) }
}

function documentOf(json: string): unknown {
  // An invalid document is refused by the schema, with a message.
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}

function tagsOf(typed: string): string[] {
  return [...new Set(typed.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}
