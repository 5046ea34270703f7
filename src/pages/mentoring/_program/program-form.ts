import type { z } from 'zod'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeEnrolment, enrolStudents, restoreEnrolment, revokeEnrolment } from '#lib/mentoring/program/enrolment.ts'
import { changeProgramStatus, saveProgram } from '#lib/mentoring/program/program.ts'
import type { ProgramAction } from '#lib/mentoring/program/rules.ts'
import {
  ChangeEnrolment,
  EnrolStudents,
  MAX_PROGRAM_QUESTIONS,
  type ProgramSettings,
  SaveProgram,
} from '#lib/mentoring/program/schema.ts'
import { readCoverField } from '../../_request/cover-field.ts'
import { type FormActions, formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'
import { readNumberField } from '../../course/_quiz/quiz-fields.ts'

/** Form actions of the editor of a program and of its students. */
export function programActions(actor: Actor, programId: string): FormActions {
  const here = `/mentoring/program/${programId}`
  const change = (action: ProgramAction, notice: string) => async () => {
    await changeProgramStatus(actor, { programId, action })
    return `${here}?notice=${notice}`
  }
  return {
    saveProgram: async (form) => {
      const version = Number(formText(form, 'version'))
      const settings = { ...readProgram(form), ...(await readCoverField(actor, form)) }
      await saveProgram(actor, SaveProgram.parse({ programId, version, settings }))
      return `${here}?notice=saved`
    },
    publishProgram: change('publish', 'published'),
    unpublishProgram: change('unpublish', 'unpublished'),
    archiveProgram: change('archive', 'archived'),
    restoreProgram: change('restore', 'restored'),
    enrol: async (form) => {
      const studentId = formText(form, 'studentId')
      const input = {
        programId,
        studentIds: studentId ? [studentId] : [],
        groupId: formText(form, 'groupId') || null,
        mentorId: formText(form, 'mentorId') || null,
        sessionsTotal: readNumberField(form, 'sessionsTotal'),
      }
      const { count } = await enrolStudents(actor, EnrolStudents.parse(input))
      return `${here}?tab=students&notice=enrolled&count=${count}`
    },
    changeEnrolment: async (form) => {
      const enrolmentId = parseId(formText(form, 'enrolmentId'))
      const mentorId = form.has('mentorId') ? formText(form, 'mentorId') || null : undefined
      const sessionsTotal = readNumberField(form, 'sessionsTotal')
      await changeEnrolment(actor, ChangeEnrolment.parse({ enrolmentId, mentorId, sessionsTotal }))
      return `${here}?tab=students&notice=saved`
    },
    revokeEnrolment: async (form) => {
      const enrolmentId = parseId(formText(form, 'enrolmentId'))
      await revokeEnrolment(actor, { enrolmentId })
      return `${here}?tab=students&notice=revoked&enrolment=${enrolmentId}`
    },
    restoreEnrolment: async (form) => {
      await restoreEnrolment(actor, { enrolmentId: parseId(formText(form, 'enrolmentId')) })
      return `${here}?tab=students&notice=accessRestored`
    },
  }
}

/** The settings of a program as its form posts them. */
function readProgram(form: FormData): z.input<typeof ProgramSettings> {
  const text = (name: string) => formText(form, name)
  // An empty field of a required number is refused as text that is no number.
  const number = (name: string) => readNumberField(form, name) ?? Number.NaN
  return {
    title: text('title'),
    description: text('description'),
    mentorIds: [...form.keys()].filter((name) => name.startsWith('mentor.')).map((name) => name.slice(7)),
    format: oneOf(text('format')),
    seats: text('format') === 'group' ? number('seats') : 1,
    sessionMinutes: number('sessionMinutes'),
    bufferBefore: number('bufferBefore'),
    bufferAfter: number('bufferAfter'),
    slotStepMinutes: number('slotStepMinutes'),
    minNoticeHours: number('minNoticeHours'),
    maxDaysAhead: number('maxDaysAhead'),
    perDayMax: readNumberField(form, 'perDayMax'),
    perStudentOpenMax: number('perStudentOpenMax'),
    sessionsIncluded: readNumberField(form, 'sessionsIncluded'),
    cancelHours: number('cancelHours'),
    reschedules: number('reschedules'),
    confirmation: oneOf(text('confirmation')),
    assignment: oneOf(text('assignment')),
    place: oneOf(text('place')),
    placeText: text('placeText'),
    questions: Array.from({ length: MAX_PROGRAM_QUESTIONS + 1 }, (_, index) => ({
      id: text(`question${index}Id`) || crypto.randomUUID(),
      label: text(`question${index}Label`).trim(),
      required: form.has(`question${index}Required`),
    })).filter(({ label }) => label !== ''),
  }
}

/** A value of a select; the schema refuses unknown ones. */
const oneOf = <T extends string>(value: string): T => value as T
