import type { Role } from '#lib/core/shared/role.ts'

/** The password of all demo accounts. */
export const PASSWORD = 'Kafedra-2026!'

export interface DemoPerson {
  email: string
  firstName: string
  lastName: string
}

export const OWNER: DemoPerson = { email: 'owner@kafedra.test', firstName: 'Оксана', lastName: 'Гнатюк' }

/** The rest of the team; a member has no role. */
export const TEAM: (DemoPerson & { roles: Role[] })[] = [
  { email: 'director@kafedra.test', firstName: 'Тарас', lastName: 'Левчук', roles: ['DIRECTOR'] },
  { email: 'expert@kafedra.test', firstName: 'Ірина', lastName: 'Савчук', roles: ['EXPERT'] },
  { email: 'curator@kafedra.test', firstName: 'Дмитро', lastName: 'Бойко', roles: ['CURATOR'] },
  { email: 'presenter@kafedra.test', firstName: 'Марта', lastName: 'Романюк', roles: ['PRESENTER'] },
  { email: 'moderator@kafedra.test', firstName: 'Юрій', lastName: 'Ткачук', roles: ['MODERATOR'] },
  { email: 'mentor@kafedra.test', firstName: 'Наталя', lastName: 'Кравець', roles: ['MENTOR'] },
  { email: 'member@kafedra.test', firstName: 'Артем', lastName: 'Лисенко', roles: [] },
]

/** A student with the number of completed lessons in each course (absent: no access) and two ages in days. */
export interface DemoStudent extends DemoPerson {
  password?: string
  done: { webinar?: number; voice?: number; phone?: number; notes?: number }
  joined: number
  last: number
}

export const STUDENT: DemoStudent = {
  email: 'student@kafedra.test',
  firstName: 'Олена',
  lastName: 'Шевчук',
  password: PASSWORD,
  done: { webinar: 4, voice: 2 },
  joined: 16,
  last: 0.4,
}

export const STUDENTS: DemoStudent[] = [
  student('bohdan.marchenko', 'Богдан', 'Марченко', { webinar: 11, voice: 5 }, 41, 2.1),
  student('halyna.petrenko', 'Галина', 'Петренко', { webinar: 9, phone: 3 }, 38, 0.1),
  student('andrii.kovalenko', 'Андрій', 'Коваленко', { webinar: 7, voice: 3 }, 33, 1.2),
  student('yaroslava.melnyk', 'Ярослава', 'Мельник', { webinar: 11 }, 30, 6.5),
  student('vasyl.hrytsenko', 'Василь', 'Гриценко', { webinar: 5, phone: 2 }, 27, 3.3),
  student('sofiia.oliinyk', 'Софія', 'Олійник', { webinar: 3, voice: 5 }, 24, 0.05),
  student('ihor.zabolotnyi', 'Ігор', 'Заболотний', { voice: 1 }, 21, 9.8),
  student('kateryna.moroz', 'Катерина', 'Мороз', { webinar: 8, voice: 4 }, 19, 0.7),
  student('roman.yatsenko', 'Роман', 'Яценко', { webinar: 2 }, 14, 4.2),
  student('liliia.sydorenko', 'Лілія', 'Сидоренко', { webinar: 1, voice: 0 }, 9, 5.6),
  student('mykola.danyliuk', 'Микола', 'Данилюк', { webinar: 6 }, 8, 0.9),
  student('zoriana.kuz', 'Зоряна', 'Кузь', { webinar: 0 }, 3, 2.5),
]

/** Invited to the course about webinars, not accepted yet. */
export const INVITED: DemoPerson[] = [
  { email: 'pavlo.tymoshenko@lektoriy.test', firstName: 'Павло', lastName: 'Тимошенко' },
  { email: 'inna.fedoruk@lektoriy.test', firstName: 'Інна', lastName: 'Федорук' },
  { email: 'oleksandr.chornyi@lektoriy.test', firstName: 'Олександр', lastName: 'Чорний' },
]

export const SONATA_OWNER: DemoPerson = { email: 'owner@sonata.test', firstName: 'Соломія', lastName: 'Дячук' }

export const SONATA_STUDENTS: DemoStudent[] = [
  {
    email: 'student@sonata.test',
    firstName: 'Максим',
    lastName: 'Поліщук',
    password: PASSWORD,
    done: { notes: 3 },
    joined: 13,
    last: 0.6,
  },
  { ...STUDENT, done: { notes: 1 }, joined: 7, last: 1.5 },
]

function student(
  name: string,
  firstName: string,
  lastName: string,
  done: DemoStudent['done'],
  joined: number,
  last: number,
): DemoStudent {
  return { email: `${name}@lektoriy.test`, firstName, lastName, done, joined, last }
}
