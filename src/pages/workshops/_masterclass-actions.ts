import { readInstant } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { saveMasterclass } from '#lib/masterclass/content.ts'
import {
  GATES,
  MAX_CHAPTERS,
  MAX_MASTERCLASS_PARTS,
  MAX_PAIRS,
  type MasterclassChapter,
  MasterclassContent,
  SaveMasterclass,
  TIMERS,
  UNLOCKS,
} from '#lib/masterclass/schema.ts'
import { parseChapterTime, splitLines } from '#lib/masterclass/text-rules.ts'
import { getWorkshop } from '#lib/workshop/workshop.ts'
import { formText } from '../_request/form-actions.ts'

/** The form of a masterclass's page. */
export function masterclassActions(
  actor: Actor,
  workshopId: string,
  page: (tab: string, notice: string) => Promise<string>,
) {
  return {
    masterclass: async (form: FormData) => {
      const { timeZone } = await getWorkshop(actor, { workshopId })
      const content = MasterclassContent.parse(contentOf(form, timeZone))
      if (content.gate === 'code' && content.code === '')
        throw new Refusal('invalid', { fields: { code: ['required'] } })
      const version = SaveMasterclass.shape.version.parse(Number(formText(form, 'version')) || 0)
      await saveMasterclass(actor, { workshopId, version, content })
      return page('page', 'saved')
    },
  }
}

function contentOf(form: FormData, zone: string) {
  const lines = (name: string) => splitLines(formText(form, name))
  const pairs = (name: string) => pairsIn(form, name)
  const at = (name: string) => readInstant(form, name, zone)
  const readChoice = <T extends string>(name: string, choices: readonly T[]) =>
    choices.find((choice) => choice === formText(form, name))
  return {
    lead: formText(form, 'lead'),
    audience: lines('audience'),
    results: lines('results'),
    program: pairs('program'),
    faq: pairs('faq'),
    reviews: pairs('reviews'),
    parts: masterclassParts(form, zone),
    calls: callsOf(form),
    gate: readChoice('gate', GATES),
    code: formText(form, 'code'),
    watchDays: Number(formText(form, 'watchDays')) || null,
    openFrom: at('openFrom'),
    openTo: at('openTo'),
    timer: readChoice('timer', TIMERS),
    timerUntil: at('timerUntil'),
    timerMinutes: Number(formText(form, 'timerMinutes')) || undefined,
    seoTitle: formText(form, 'seoTitle'),
    seoDescription: formText(form, 'seoDescription'),
  }
}

// A part without a title is ignored.
function masterclassParts(form: FormData, zone: string) {
  return Array.from({ length: MAX_MASTERCLASS_PARTS }, (_, place) => {
    const partField = (name: string) => formText(form, `part${place}${name}`)
    return {
      id: partField('Id') || crypto.randomUUID(),
      title: partField('Title').trim(),
      text: partField('Text'),
      fileId: form.has(`part${place}None`) ? null : partField('FileId') || null,
      unlock: UNLOCKS.find((choice) => choice === partField('Unlock')),
      unlockAt: readInstant(form, `part${place}At`, zone),
      unlockDays: Number(partField('Days')) || 0,
      chapters: chaptersIn(form, `part${place}Chapter`),
    }
  }).filter(({ title }) => title !== '')
}

/** Rows of titles with texts; empty rows are ignored. Refuses with invalid a text without a title. */
function pairsIn(form: FormData, name: string) {
  return rowsIn(form, name, MAX_PAIRS).flatMap(({ place, title }) => {
    const text = formText(form, `${name}${place}Text`).trim()
    if (title === '' && text !== '') throw dateProblem(`${name}${place}Title`, 'required')
    return title === '' ? [] : [{ title, text }]
  })
}

/** Rows of times with titles, sorted by time; empty rows are ignored. Refuses with invalid an incomplete row. */
function chaptersIn(form: FormData, name: string): MasterclassChapter[] {
  const chapters = rowsIn(form, name, MAX_CHAPTERS).flatMap(({ place, title }) => {
    const time = formText(form, `${name}${place}At`).trim()
    const at = parseChapterTime(time)
    if (title === '' && time === '') return []
    if (at === null) throw dateProblem(`${name}${place}At`, time === '' ? 'required' : 'format')
    if (title === '') throw dateProblem(`${name}${place}Title`, 'required')
    return [{ at, title }]
  })
  return chapters.sort((a, b) => a.at - b.at)
}

const rowsIn = (form: FormData, name: string, most: number) =>
  Array.from({ length: most }, (_, place) => ({ place, title: formText(form, `${name}${place}Title`).trim() }))

const dateProblem = (field: string, problem: 'required' | 'format') =>
  new Refusal('invalid', { fields: { [field]: [problem] } })

function callsOf(form: FormData) {
  const calls = []
  for (let place = 0; form.has(`call${place}Id`); place++) {
    const partId = formText(form, `call${place}Part`)
    if (!partId) continue
    const at = parseChapterTime(formText(form, `call${place}At`))
    if (at === null) throw dateProblem(`call${place}At`, 'format')
    calls.push({ buttonId: formText(form, `call${place}Id`), partId, at })
  }
  return calls
}
