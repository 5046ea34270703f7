import { inSystem } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { inviteToCourse } from '#lib/course/access/invite.ts'
import { archiveCourse, publishCourse } from '#lib/course/publish.ts'
import { openAccess } from './access.ts'
import { repeatWebinar } from './auto-webinar.ts'
import { addAutomations } from './automation/automations.ts'
import { showBlocks } from './blocks.ts'
import { GRADUATE, issueCertificatesTo } from './certificate/certificates.ts'
import { addConversations } from './chat/conversations.ts'
import { planEvents } from './events.ts'
import { fillFileLibrary } from './files/shelf.ts'
import { fillHomework } from './homework.ts'
import { addInvitationLinks } from './invitation-links.ts'
import { showMasterclass } from './masterclass.ts'
import { addMentoring } from './mentoring/program.ts'
import { arrange } from './outline.ts'
import { ageCourse, ageStudent, assign } from './past.ts'
import { EARLIER_WEBINAR, PAST_WEBINAR, recallWebinar } from './past-event.ts'
import { INVITED, OWNER, SONATA_OWNER, SONATA_STUDENTS, STUDENT, STUDENTS, TEAM } from './people.ts'
import { addLessonTest } from './quiz/lesson-test.ts'
import { addReviewedTests } from './quiz/reviewed-tests.ts'
import { addTests } from './quiz/tests.ts'
import { registerPeople } from './registrations.ts'
import { drawWay } from './roadmap.ts'
import { addOffers } from './sales/offers.ts'
import { addOrders } from './sales/orders.ts'
import { addPlanInvoice } from './sales/plan-invoice.ts'
import { addGroupDates } from './schedule/group-dates.ts'
import { employ, enrol, openSchool, writeCourse } from './school.ts'
import { setCourses } from './settings.ts'
import { fillStudentList } from './students.ts'
import { askToWatch, jotDown } from './study.ts'
import { fillTeam } from './team.ts'
import { keepVersions } from './versions.ts'

/** Creates both demo schools in one transaction: after an interruption the database is empty. */
export function fillDemo(): Promise<void> {
  return inSystem(async () => {
    await fillLektoriy()
    await fillSonata()
  })
}

async function fillLektoriy(): Promise<void> {
  const school = await openSchool({ subdomain: 'demo', name: 'Школа «Лекторій»' }, OWNER, {
    lms: { plan: 'max', days: 30 },
    workshop: { plan: 'max', days: 30 },
  })
  const { owner } = school
  const team = new Map<string, Awaited<ReturnType<typeof employ>>>()
  for (const person of TEAM) team.set(person.email, await employ(school, person))
  const expert = team.get('expert@kafedra.test') ?? owner
  const curator = team.get('curator@kafedra.test') ?? owner
  const presenter = team.get('presenter@kafedra.test') ?? owner
  const moderator = team.get('moderator@kafedra.test') ?? owner

  const courses = {
    phone: await writeCourse(expert, 'phone'),
    voice: await writeCourse(expert, 'voice'),
    webinar: await writeCourse(expert, 'sample'),
  }
  await setCourses(expert, courses)
  for (const { courseId } of Object.values(courses)) {
    await publishCourse(expert, { courseId })
    const experts = [{ memberId: expert.membershipId, role: 'expert' as const }]
    await assign(school, courseId, [...experts, { memberId: curator.membershipId, role: 'curator' }])
  }
  const draft = await writeCourse(expert, 'tests')
  await arrange(expert, draft)
  await keepVersions(expert, draft)
  await fillFileLibrary(expert)
  const upcoming = await planEvents({ expert, presenter, moderator })
  const [firstOfVoice] = courses.voice.lessonIds
  if (firstOfVoice) await showBlocks(expert, firstOfVoice)
  await drawWay(expert, courses.webinar.courseId)
  await addOffers(expert, courses.webinar.courseId)
  const learners: Actor[] = []
  for (const person of [...STUDENTS, STUDENT]) {
    const student = await enrol(school, person, courses)
    await ageStudent(school, student.membershipId, person)
    if (person.done.webinar !== undefined) learners.push(student)
    if (person === STUDENT) await jotDown(owner, student.membershipId, courses.webinar)
    if (person === STUDENT) await addTests(expert, student, courses.webinar)
    if (person.email === GRADUATE) await issueCertificatesTo(student, { expert, ...courses })
  }
  await askToWatch(expert, courses.voice)
  const quizId = await addLessonTest(expert, courses.voice)
  await addGroupDates(expert, courses.voice, quizId)
  await openAccess(expert, courses.webinar.courseId)
  await fillHomework({ school, expert, curator }, courses.webinar)
  await addReviewedTests({ expert, students: learners }, courses.webinar)
  await addConversations({ owner, curator, students: learners }, courses.webinar)
  await registerPeople(expert, upcoming.workshopId)
  await addMentoring(owner, team.get('mentor@kafedra.test') ?? owner, learners.slice(-2).toReversed())
  await addAutomations(owner)
  await showMasterclass(expert)
  await recallWebinar(owner, presenter, EARLIER_WEBINAR)
  await repeatWebinar(owner, await recallWebinar(owner, presenter, PAST_WEBINAR), PAST_WEBINAR)
  await archiveCourse(owner, { courseId: courses.phone.courseId })
  for (const { email, firstName, lastName } of INVITED) {
    await inviteToCourse(owner, { courseId: courses.webinar.courseId, email, name: `${firstName} ${lastName}` })
  }
  await addInvitationLinks(owner, courses.webinar.courseId)
  await fillStudentList(owner)
  await addOrders(owner, 'Перший вебінар: від ідеї до запису')
  await addPlanInvoice(owner)
  await fillTeam(owner, { curator, expert }, courses.webinar.courseId)
  await ageCourse(school, courses.phone.courseId, { created: 400, updated: 62 })
  await ageCourse(school, courses.voice.courseId, { created: 75, updated: 11 })
  await ageCourse(school, courses.webinar.courseId, { created: 44, updated: 2 })
  await ageCourse(school, draft.courseId, { created: 5, updated: 1 })
}

async function fillSonata(): Promise<void> {
  const school = await openSchool({ subdomain: 'sonata', name: 'Музична школа «Соната»' }, SONATA_OWNER, {
    lms: { plan: 'start', days: 30 },
    workshop: { plan: 'start', days: -12 },
  })
  const notes = await writeCourse(school.owner, 'notes')
  await publishCourse(school.owner, { courseId: notes.courseId })
  for (const person of SONATA_STUDENTS) {
    const { membershipId } = await enrol(school, person, { notes })
    await ageStudent(school, membershipId, person)
  }
  await ageCourse(school, notes.courseId, { created: 28, updated: 6 })
}
