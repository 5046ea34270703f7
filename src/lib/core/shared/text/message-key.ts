import type access from '#locales/uk/access.json'
import type analysis from '#locales/uk/analysis.json'
import type attempt from '#locales/uk/attempt.json'
import type audit from '#locales/uk/audit.json'
import type automation from '#locales/uk/automation.json'
import type autowebinar from '#locales/uk/autowebinar.json'
import type billing from '#locales/uk/billing.json'
import type certificate from '#locales/uk/certificate.json'
import type chat from '#locales/uk/chat.json'
import type checkout from '#locales/uk/checkout.json'
import type course from '#locales/uk/course.json'
import type dashboard from '#locales/uk/dashboard.json'
import type editor from '#locales/uk/editor.json'
import type errors from '#locales/uk/errors.json'
import type field from '#locales/uk/field.json'
import type group from '#locales/uk/group.json'
import type homework from '#locales/uk/homework.json'
import type inbox from '#locales/uk/inbox.json'
import type island from '#locales/uk/island.json'
import type landing from '#locales/uk/landing.json'
import type mail from '#locales/uk/mail.json'
import type masterclass from '#locales/uk/masterclass.json'
import type meeting from '#locales/uk/meeting.json'
import type mentoring from '#locales/uk/mentoring.json'
import type notification from '#locales/uk/notification.json'
import type numbers from '#locales/uk/numbers.json'
import type offer from '#locales/uk/offer.json'
import type order from '#locales/uk/order.json'
import type outbox from '#locales/uk/outbox.json'
import type outline from '#locales/uk/outline.json'
import type payment from '#locales/uk/payment.json'
import type player from '#locales/uk/player.json'
import type questions from '#locales/uk/questions.json'
import type quizeditor from '#locales/uk/quizeditor.json'
import type quizprint from '#locales/uk/quizprint.json'
import type registration from '#locales/uk/registration.json'
import type rehearsal from '#locales/uk/rehearsal.json'
import type review from '#locales/uk/review.json'
import type roadmap from '#locales/uk/roadmap.json'
import type schedule from '#locales/uk/schedule.json'
import type settings from '#locales/uk/settings.json'
import type shell from '#locales/uk/shell.json'
import type stage from '#locales/uk/stage.json'
import type statistics from '#locales/uk/statistics.json'
import type storage from '#locales/uk/storage.json'
import type student from '#locales/uk/student.json'
import type study from '#locales/uk/study.json'
import type team from '#locales/uk/team.json'
import type transfer from '#locales/uk/transfer.json'
import type user from '#locales/uk/user.json'
import type workshop from '#locales/uk/workshop.json'

type Namespaces = {
  access: typeof access
  analysis: typeof analysis
  attempt: typeof attempt
  audit: typeof audit
  automation: typeof automation
  autowebinar: typeof autowebinar
  billing: typeof billing
  certificate: typeof certificate
  chat: typeof chat
  checkout: typeof checkout
  course: typeof course
  dashboard: typeof dashboard
  editor: typeof editor
  errors: typeof errors
  field: typeof field
  group: typeof group
  homework: typeof homework
  island: typeof island
  landing: typeof landing
  mail: typeof mail
  meeting: typeof meeting
  mentoring: typeof mentoring
  masterclass: typeof masterclass
  inbox: typeof inbox
  notification: typeof notification
  numbers: typeof numbers
  outline: typeof outline
  offer: typeof offer
  order: typeof order
  outbox: typeof outbox
  payment: typeof payment
  player: typeof player
  questions: typeof questions
  quizeditor: typeof quizeditor
  quizprint: typeof quizprint
  registration: typeof registration
  rehearsal: typeof rehearsal
  review: typeof review
  roadmap: typeof roadmap
  schedule: typeof schedule
  settings: typeof settings
  shell: typeof shell
  stage: typeof stage
  statistics: typeof statistics
  storage: typeof storage
  student: typeof student
  study: typeof study
  team: typeof team
  transfer: typeof transfer
  user: typeof user
  workshop: typeof workshop
}

type WithoutPlural<Key> = Key extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Base : Key

type Path<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? WithoutPlural<Key> : `${Key}.${Path<Tree[Key]>}`
}[keyof Tree & string]

/** All message keys, from the Ukrainian texts: `course:list.title`; plural forms are one key. */
export type MessageKey = { [Name in keyof Namespaces]: `${Name & string}:${Path<Namespaces[Name]>}` }[keyof Namespaces]

/**
 * Builds a message key at run time from a reason or a code; an architecture test checks that the group of keys exists.
 */
export function keyFrom(text: string): MessageKey {
  return text as MessageKey
}
