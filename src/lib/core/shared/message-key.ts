import type billing from '#locales/uk/billing.json'
import type course from '#locales/uk/course.json'
import type dashboard from '#locales/uk/dashboard.json'
import type errors from '#locales/uk/errors.json'
import type landing from '#locales/uk/landing.json'
import type mail from '#locales/uk/mail.json'
import type player from '#locales/uk/player.json'
import type shell from '#locales/uk/shell.json'
import type storage from '#locales/uk/storage.json'
import type student from '#locales/uk/student.json'
import type user from '#locales/uk/user.json'

type Namespaces = {
  billing: typeof billing
  course: typeof course
  dashboard: typeof dashboard
  errors: typeof errors
  landing: typeof landing
  mail: typeof mail
  player: typeof player
  shell: typeof shell
  storage: typeof storage
  student: typeof student
  user: typeof user
}

type Counted<Key> = Key extends `${infer Word}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Word : Key

type Path<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Counted<Key> : `${Key}.${Path<Tree[Key]>}`
}[keyof Tree & string]

/** Every message there is, from the Ukrainian texts: `course:list.title`; plural forms count as one key. */
export type MessageKey = { [Name in keyof Namespaces]: `${Name & string}:${Path<Namespaces[Name]>}` }[keyof Namespaces]

/** A key put together at run time, from a reason or a code; the house test checks that its group exists. */
export function keyFrom(text: string): MessageKey {
  return text as MessageKey
}
