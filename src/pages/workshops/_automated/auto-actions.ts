import { makeFromWebinar } from '#lib/autowebinar/autowebinar.ts'
import { getPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { parseOffset } from '#lib/autowebinar/playback-rules.ts'
import { answerLater, promoteAnswer } from '#lib/autowebinar/question.ts'
import {
  AnswerLater,
  JUST_IN_TIME_MINUTES,
  MakeFromWebinar,
  QuestionRef,
  SavePlan,
  Schedule,
} from '#lib/autowebinar/schema.ts'
import { readDay, readTime } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseDateInput } from '#lib/core/shared/text/date-input.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { editPath } from '#lib/workshop/rules.ts'
import { formText } from '../../_request/form-actions.ts'
import { readFormBase } from '../_settings/form-base.ts'

/** Form actions of an automated webinar's schedule and questions, and the one that creates it from a webinar. */
export function automatedWebinarActions(actor: Actor, workshopId: string) {
  const page = (notice: string) => `${editPath('autoWebinar', workshopId)}?tab=schedule&notice=${notice}`
  return {
    'auto.schedule': async (form: FormData) => {
      const before = await getPlan(actor, { workshopId })
      const videoFileId = formText(form, 'videoFileId') || null
      await savePlan(
        actor,
        SavePlan.parse({
          workshopId,
          version: Number(formText(form, 'version')) || 1,
          base: readFormBase(form),
          // The video of the source session is kept unless another one is selected.
          ...(videoFileId === before.videoFileId ? {} : { videoFileId }),
          ...(before.isVideoPending ? {} : { videoOffsetMs: offsetIn(form) }),
          schedule: scheduleIn(form, actor.tenantTimeZone),
          quietHours: quietIn(form),
          capacity: Number(formText(form, 'capacity')) || null,
          mayRestart: form.has('mayRestart'),
          mayPause: form.has('mayPause'),
          disclosure: {
            label: form.has('label'),
            counters: form.has('counters'),
            answerHours: Number(formText(form, 'answerHours')) || 24,
          },
        }),
      )
      return page('saved')
    },
    'auto.answer': async (form: FormData) => {
      await answerLater(actor, AnswerLater.parse({ ...questionIn(form), text: formText(form, 'text') }))
      return page('sent')
    },
    'auto.promote': async (form: FormData) => {
      await promoteAnswer(actor, QuestionRef.parse(questionIn(form)))
      return page('promoted')
    },
    'auto.make': async (form: FormData) => {
      const made = await makeFromWebinar(actor, MakeFromWebinar.parse({ workshopId, keepTally: form.has('keepTally') }))
      return `${editPath('autoWebinar', made.workshopId)}?tab=script`
    },
  }
}

const questionIn = (form: FormData) => ({
  sessionId: formText(form, 'sessionId'),
  messageId: formText(form, 'messageId'),
})

function offsetIn(form: FormData): number {
  const ms = parseOffset(formText(form, 'offset').trim() || '0')
  if (ms === null) throw new Refusal('invalid', { fields: { offset: ['format'] } })
  return ms
}

function quietIn(form: FormData) {
  const [from, to] = [readTime(form, 'quietFrom'), readTime(form, 'quietTo')]
  return from && to ? { from, to } : null
}

function scheduleIn(form: FormData, zone: string) {
  const today = localDay(new Date(), zone)
  const dates = splitField(form, 'dates', /\n/).map((part) => {
    const [day, time] = parseDateInput('datetime', part, today)?.split('T') ?? []
    if (!day || !time) throw new Refusal('invalid', { fields: { dates: ['datetime_format'] } })
    return { day, time }
  })
  const skip: string[] = []
  const skipTimes: { day: string; time: string }[] = []
  for (const part of splitField(form, 'skip', /[;\n]/)) {
    const [day, time] = parseDateInput(part.includes(':') ? 'datetime' : 'date', part, today)?.split('T') ?? []
    if (!day) throw new Refusal('invalid', { fields: { skip: ['date_format'] } })
    if (time) skipTimes.push({ day, time })
    else skip.push(day)
  }
  const times = splitField(form, 'times', /[,;\s]+/).map((time) => time.padStart(5, '0'))
  const days = form.getAll('days').map(Number)
  const parsed = Schedule.safeParse({
    zone: formText(form, 'zone'),
    dates,
    skip,
    ...(skipTimes.length > 0 && { skipTimes }),
    onDemand: form.has('onDemand'),
    weekly:
      days.length > 0 && times.length > 0
        ? { days, times, from: readDay(form, 'from', zone), until: readDay(form, 'until', zone) }
        : null,
    justInTime: JUST_IN_TIME_MINUTES.find((mark) => String(mark) === formText(form, 'justInTime')) ?? null,
  })
  if (parsed.success) return parsed.data
  const [first = 'form', second] = parsed.error.issues[0]?.path.map(String) ?? []
  const field = first === 'weekly' ? (second ?? 'times') : first
  throw new Refusal('invalid', { fields: { [field]: ['format'] } })
}

const splitField = (form: FormData, name: string, by: RegExp): string[] =>
  formText(form, name)
    .split(by)
    .map((part) => part.trim())
    .filter(Boolean)
