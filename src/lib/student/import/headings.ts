import type { ImportField } from '#lib/core/shared/student-import.ts'

/** What a heading says: a field, a name whose parts and order it does not state, or nothing that is imported. */
export type HeadingMeaning = ImportField | 'name' | null

/**
 * A heading in the form in which headings are compared: lower case, words separated by one space, without apostrophes,
 * punctuation and invisible characters.
 */
export function foldHeading(heading: string): string {
  return heading
    .replace(/['"’‘ʼ´`′“”«»]/g, '')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
const phrases = (text: string): ReadonlySet<string> => new Set(text.split(',').map(foldHeading))

/** Beginnings of the words of a heading, as `foldHeading` writes them. */
const LAST_NAME =
  /(?:^| )(?:прізвищ|прізвіщ|фамили|last(?= ?name| first|$)|surname|family(?= ?name)|lname|nazwisk|nachname)/
const FIRST_NAME = /(?:^| )(?:імя|імені|имя|имени|first(?= ?name| and| last|$)|given|fname|forename|vorname)/
const PATRONYMIC = /(?:^| )(?:по ?батькові|отчеств|patronymic|middle|additional name)/
const ALL_NAMES = /(?:^| )(?:піб|п і б|фио|ф и о)(?: |$)/
const EMAIL =
  /(?:^| )(?:e ?mails?|пошт(?:а|и|у)|почт(?:а|ы)|імейл\p{L}*|емейл\p{L}*|емайл|имейл|електронн\p{L}+ (?:адрес|скриньк)\p{L}*)(?: |$)/u
const PHONE =
  /(?:^| )(?:телефон\p{L}*|тел|phone|telephone|mobile|мобільн\p{L}+|мобильн\p{L}+|моб|cell|cellphone)(?: |$)/u

/** Words of headings whose column is about an address, phone or name, and does not contain it. */
const OTHER = words(`label labels type types verified confirmed status date opt consent subscribed app country code
  phonetic nickname nick user username login company organization organisation file title prefix suffix job mailing
  type тип статус дата підтверджено підтверджена підтвердження згода розсилка логін користувача пользователя компанія
  компанії організація організації файлу посада кількість model модель час batch parent mother father батька матері
  batch emergency manager менеджер менеджера партнера`)

const EXACT: readonly (readonly [HeadingMeaning, ReadonlySet<string>])[] = [
  [
    'email',
    phrases(`email, e-mail, mail, пошта, ел. пошта, е-пошта, електронна пошта, електронна адреса, імейл, емейл, мейл,
      электронная почта, эл. почта, почта, email address, e-mail 1 - value, email 1, customer email, user email`),
  ],
  [
    'phone',
    phrases(`телефон, тел, номер телефону, номер мобільного, мобільний, мобільний телефон, моб, phone, phone number,
      phone 1, phone1, phone 1 - value, mobile, mobile phone, mobile number, cell, telephone, tel, viber, вайбер,
      мобильный, номер телефона, user phone`),
  ],
  [
    'name',
    phrases(`name, names, full name, fullname, display name, real name, імя, имя, студент, студенти, студентка, учень,
      учениця, учні, учасник, учасниця, слухач, слухачка, клієнт, клієнтка, покупець, контакт, платник, отримувач,
      ученик, участник, слушатель, клиент, покупатель, плательщик, student, student name, learner, participant, attendee,
      customer, customer name, client, payer, buyer, user full name, contact name, cardholder name, card name, billing
      name, імя студента, імя студентки, імя клієнта, імя учня, імя учасника, імя платника, имя клиента, имя студента,
      повне імя, полное имя`),
  ],
  ['firstName', phrases('firstname, first name, given name, fname')],
  ['lastName', phrases('lastname, last name, surname, family name, lname')],
  ['patronymic', phrases('middlename, middle name, patronymic, additional name')],
  ['tags', phrases('мітки, мітка, теги, тег, tags, tag, метки')],
  ['course', phrases('курс, назва курсу, course, course name, course title, course1, course 1')],
  ['group', phrases('група, назва групи, групи, group, group name, group1, group 1, группа, потік')],
]

/** The meaning of a heading, by its whole text or its words. */
export function headingMeaning(heading: string): HeadingMeaning {
  const title = foldHeading(heading)
  const exact = EXACT.find(([, titles]) => titles.has(title))
  if (exact) return exact[0]
  if (title.split(' ').some((word) => OTHER.has(word))) return null
  // "E-mail 2 - Value": a further address or phone of the same person.
  const isFurther = /(?:^| )[2-9](?: |$)/.test(title)
  if (EMAIL.test(title)) return isFurther ? null : 'email'
  if (PHONE.test(title)) return isFurther ? null : 'phone'
  return nameMeaning(title)
}

function nameMeaning(title: string): HeadingMeaning {
  if (ALL_NAMES.test(title)) return 'surnameFirst'
  const [last, first] = [title.search(LAST_NAME), title.search(FIRST_NAME)]
  if (last >= 0 && (first >= 0 || /(?:^| )(?:ініціал|инициал|initial)/.test(title)))
    return first >= 0 && first < last ? 'fullName' : 'surnameFirst'
  if (last >= 0) return 'lastName'
  if (first >= 0) return 'firstName'
  if (PATRONYMIC.test(title)) return 'patronymic'
  return /(?:^| )full ?name(?: |$)/.test(title) ? 'name' : null
}
