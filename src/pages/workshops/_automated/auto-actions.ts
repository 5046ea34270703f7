import { makeFromWebinar } from '#lib/autowebinar/autowebinar.ts'
import { getPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { parseOffset } from '#lib/autowebinar/playback-rules.ts'
import { answerLater, promoteAnswer } from '#lib/autowebinar/question.ts'
import { JUST_IN_TIME_MINUTES, Schedule } from '#lib/autowebinar/schema.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { editPath } from '#lib/workshop/rules.ts'
import { textOf } from '../../course/_transfer/posted.ts'
import { readFormBase } from '../_settings/form-base.ts'

/** What the forms of an auto-webinar's schedule and questions do, and the one that makes it of a webinar. */
export function autoActs(actor: Actor, workshopId: string) {
  const page = (said: string) => `${editPath('autoWebinar', workshopId)}?tab=schedule&said=${said}`
  return {
    'auto.schedule': async (form: FormData) => {
      const before = await getPlan(actor, { workshopId })
      const filmFileId = textOf(form, 'filmFileId') || null
      await savePlan(actor, {
        workshopId,
        version: Number(textOf(form, 'version')) || 1,
        base: readFormBase(form),
        // A film that came by itself stays its session's, unless another one is chosen.
        ...(filmFileId === before.filmFileId ? {} : { filmFileId }),
        ...(before.isVideoPending ? {} : { filmOffsetMs: offsetIn(form) }),
        schedule: scheduleIn(form),
        quietHours: quietIn(form),
        capacity: Number(textOf(form, 'capacity')) || null,
        mayRestart: form.has('mayRestart'),
        mayPause: form.has('mayPause'),
        honest: {
          label: form.has('label'),
          counters: form.has('counters'),
          answerHours: Number(textOf(form, 'answerHours')) || 24,
        },
      })
      return page('saved')
    },
    'auto.answer': async (form: FormData) => {
      await answerLater(actor, { ...questionIn(form), text: textOf(form, 'text') })
      return page('sent')
    },
    'auto.promote': async (form: FormData) => {
      await promoteAnswer(actor, questionIn(form))
      return page('promoted')
    },
    'auto.make': async (form: FormData) => {
      const made = await makeFromWebinar(actor, { workshopId, keepTally: form.has('keepTally') })
      return `${editPath('autoWebinar', made.workshopId)}?tab=script`
    },
  }
}

const questionIn = (form: FormData) => ({ sessionId: textOf(form, 'sessionId'), messageId: textOf(form, 'messageId') })

function offsetIn(form: FormData): number {
  const ms = parseOffset(textOf(form, 'offset').trim() || '0')
  if (ms === null) throw new Refusal('invalid', { fields: { offset: ['format'] } })
  return ms
}

function quietIn(form: FormData) {
  const [from, to] = [textOf(form, 'quietFrom').slice(0, 5), textOf(form, 'quietTo').slice(0, 5)]
  return from && to ? { from, to } : null
}

function scheduleIn(form: FormData) {
  const dates = pieces(form, 'dates', /\n/).map((piece) => {
    const match = /^(\d{4}-\d\d-\d\d)[ T]+(\d?\d:\d\d)$/.exec(piece)
    if (!match) throw new Refusal('invalid', { fields: { dates: ['format'] } })
    return { day: match[1], time: (match[2] ?? '').padStart(5, '0') }
  })
  const times = pieces(form, 'times', /[,;\s]+/).map((time) => time.padStart(5, '0'))
  const days = form.getAll('days').map(Number)
  const parsed = Schedule.safeParse({
    zone: textOf(form, 'zone'),
    dates,
    skip: pieces(form, 'skip', /[,;\s]+/),
    onDemand: form.has('onDemand'),
    weekly:
      days.length > 0 && times.length > 0
        ? { days, times, from: textOf(form, 'from') || null, until: textOf(form, 'until') || null }
        : null,
    justInTime: JUST_IN_TIME_MINUTES.find((mark) => String(mark) === textOf(form, 'justInTime')) ?? null,
  })
  if (parsed.success) return parsed.data
  const [first = 'form', second] = parsed.error.issues[0]?.path.map(String) ?? []
  const field = first === 'weekly' ? (second ?? 'times') : first
  throw new Refusal('invalid', { fields: { [field]: ['format'] } })
}

const pieces = (form: FormData, name: string, by: RegExp): string[] =>
  textOf(form, name)
    .split(by)
    .map((piece) => piece.trim())
    .filter(Boolean)
