import { isProcedure } from '@orpc/server'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { router } from '#lib/api.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { createQuiz } from '#lib/quiz/quiz.ts'
import { beginRehearsal } from '#lib/workshop/rehearsal/rehearsal.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { sampleOf, shapeOf } from '../architecture/checks/sample-input.ts'
import { createCourse } from '../setup/parsed/course.ts'
import { inviteToCourse } from '../setup/parsed/course-access.ts'
import { addLesson } from '../setup/parsed/course-outline.ts'
import { createWorkshop } from '../setup/parsed/workshop.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { ask } from './live-test-server.ts'

const WRITERS: readonly Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']
const READERS: readonly Role[] = [...WRITERS, 'CURATOR']
const MANAGERS: readonly Role[] = ['OWNER', 'DIRECTOR']

const HOSTS: readonly Role[] = [...WRITERS, 'PRESENTER', 'MODERATOR']

/** Product.md 2, call by call: who gets past the door. Nobody of the team is assigned to this course or event. */
const MAY: Record<string, readonly (Role | null)[]> = {
  ...these([...ROLES, null], 'tenant', 'findSubdomain'),
  ...these([...ROLES, null], 'settings', 'findServedDomain'),
  ...these(
    MANAGERS,
    'settings',
    'getSettings updateSchool changeSubdomain removeLogo addDomain checkDomain removeDomain',
  ),
  ...these(MANAGERS, 'settings', 'requestReplyTo confirmReplyTo removeReplyTo'),
  ...these(MANAGERS, 'student', 'getCard listRisks listTimeline listSection updateProfile addTag removeTag remind'),
  ...these(MANAGERS, 'student', 'listNotes addNote updateNote deleteNote restoreNote'),
  ...these(MANAGERS, 'student', 'listDevices endDevice endAllDevices'),
  ...these(MANAGERS, 'student', 'listFields addField changeField deleteField restoreField'),
  ...these(MANAGERS, 'student', 'getFieldValues saveFieldValues'),
  ...these(MANAGERS, 'student', 'requestEmailCorrection cancelEmailCorrection createLoginLink'),
  ...these(ROLES, 'student', 'getMyData requestDataExport requestDeletion cancelDeletion'),
  ...these([...ROLES, null], 'student', 'confirmEmailCorrection signInByLink'),
  ...these([...ROLES, null], 'user', 'login logout register resendCode checkVerification forgotPassword resetPassword'),
  ...these([...ROLES, null], 'billing', 'openSchool'),
  ...these([...ROLES, null], 'student', 'inviteAccept register resendInvitation'),
  ...these([...ROLES, null], 'course', 'requestJoin registerByLink'),
  ...these(ROLES, 'course', 'joinByLink'),
  ...these(MANAGERS, 'course', 'createInvitationLink listInvitationLinks revokeInvitationLink'),
  ...these(MANAGERS, 'student', 'getRegistrationForm saveRegistrationForm getStudentRegistration'),
  ...these(ROLES, 'user', 'getSessionInfo getPersonal updatePersonal changePassword switchMembership'),
  ...these(ROLES, 'user', 'listSessions revokeSession revokeOtherSessions'),
  ...these(ROLES, 'user', 'beginSecondFactor enableSecondFactor renewRecoveryCodes disableSecondFactor'),
  ...these(MANAGERS, 'student', 'invite createBulkJob confirmBulkJob createMessage getBulkJob'),
  ...these(MANAGERS, 'student', 'list count listFilterOptions listViews saveView deleteView'),
  ...these(MANAGERS, 'outbox', 'list'),
  ...these(READERS, 'outbox', 'get edit hold send recall discard'),
  ...these(MANAGERS, 'student', 'listInvitations revokeInvitation resendStudentInvitation'),
  ...these([...ROLES, null], 'team', 'register renewInvitation'),
  ...these(ROLES, 'team', 'acceptInvitation confirmTransfer'),
  ...these(MANAGERS, 'team', 'invite resendInvitation cancelInvitation change block unblock remove'),
  ...these(MANAGERS, 'team', 'addVacation cancelVacation'),
  ...these(['OWNER'], 'team', 'requestTransfer cancelTransfer'),
  ...these(MANAGERS, 'course', 'invite'),
  ...these(READERS, 'course', 'list get getOutline getReadiness getLesson getLessonText listRevisions countLearning'),
  ...these(READERS, 'course', 'listStaff listContentIssues'),
  ...these(WRITERS, 'course', 'setStaff archiveMany restoreMany startImport getTransfer listTransfers'),
  ...these(WRITERS, 'course', 'listStudents grantAccess revokeAccess'),
  ...these(
    WRITERS,
    'course',
    'getMatrix getAccessExplanation listGrants listGroups previewAccess changeAccess createGroup',
  ),
  ...these(READERS, 'course', 'undoAccess listAllGroups'),
  ...these(WRITERS, 'course', 'getGroup updateGroup finishGroup reopenGroup archiveGroup restoreGroup copyGroup'),
  ...these(WRITERS, 'course', 'listMembers findCandidates previewMembers changeMembers addToGroup removeFromGroup'),
  ...these(WRITERS, 'course', 'announceToGroup recallAnnouncement'),
  ...these(WRITERS, 'attendance', 'listMeetings listLinkableEvents addMeeting removeMeeting list mark'),
  ...these(WRITERS, 'course', 'create update publish unpublish archive restore saveLesson publishLesson discardLesson'),
  ...these(WRITERS, 'course', 'nameRevision restoreRevision attendLesson'),
  ...these(READERS, 'course', 'getDates listTrash'),
  ...these(WRITERS, 'course', 'addModule changeModule moveModule placeModule deleteModule restoreModule'),
  ...these(WRITERS, 'course', 'addLessons changeLessons placeLessons publishLessons deleteLessons restoreLessons'),
  ...these(WRITERS, 'course', 'undoChange duplicateLessons duplicateModule duplicate'),
  ...these(WRITERS, 'course', 'addLesson renameLesson moveLesson deleteLesson restoreLesson'),
  ...these(WRITERS, 'storage', 'startUpload findDuplicate getQuota'),
  ...these(ROLES, 'storage', 'signPart listParts finishUpload abortUpload listUploads'),
  ...these(WRITERS, 'storage', 'list get createFolder ensureFolders rename move copy'),
  ...these(ROLES, 'storage', 'renewPlayback savePosition'),
  ...these(WRITERS, 'storage', 'getPlayback getVideo retryVideo choosePoster getVideoEditor saveTexts saveChapters'),
  ...these(WRITERS, 'storage', 'listCaptions getCaption saveCaption removeCaption requestCaptions requestTexts'),
  ...these(WRITERS, 'storage', 'delete restore purge emptyTrash offerZip'),
  ...these(READERS, 'homework', 'listTasks findTask'),
  ...these(WRITERS, 'homework', 'addTask saveTask deleteTask restoreTask'),
  ...these(READERS, 'quiz', 'getQuestion listQuestions listQuestionTags listBanks renderTexts get list'),
  ...these(WRITERS, 'quiz', 'setOverride removeOverride'),
  ...these(READERS, 'quiz', 'grantTime'),
  ...these(['STUDENT'], 'quiz', 'startAttempt saveAnswer reachPage submitAttempt'),
  ...these(WRITERS, 'quiz', 'createQuestion updateQuestion duplicateQuestion changeQuestions'),
  ...these(WRITERS, 'quiz', 'createBank renameBank deleteBank'),
  ...these(WRITERS, 'quiz', 'create update setSections publish unpublish setHidden delete restore'),
  ...these(WRITERS, 'quiz', 'previewQuestions importQuestions'),
  ...these(WRITERS, 'certificate', 'getRule listQualified countByState listRequests'),
  ...these(READERS, 'certificate', 'listTemplates getTemplate'),
  ...these(WRITERS, 'certificate', 'saveRule createTemplate saveTemplate deleteTemplate'),
  ...these(WRITERS, 'certificate', 'issue issueToAll reissue revoke changeRequest setScan'),
  ...these(['STUDENT'], 'certificate', 'getMine listMine claim'),
  ...these(READERS, 'roadmap', 'list get'),
  ...these(WRITERS, 'roadmap', 'create save publish hide delete'),
  ...these(['STUDENT'], 'roadmap', 'getProgress'),
  ...these(HOSTS, 'workshop', 'list get listStaff listItems countPeople getReadiness'),
  ...these(['STUDENT'], 'workshop', 'listMine'),
  ...these(WRITERS, 'workshop', 'create save saveSettings setStaff addItem saveItem moveItem deleteItem restoreItem'),
  ...these(WRITERS, 'workshop', 'publish unpublish cancel archive restore duplicate'),
  ...these(HOSTS, 'autowebinar', 'get listEntries getScriptFile listSessions listQuestions answerLater'),
  ...these(WRITERS, 'autowebinar', 'savePlan saveEntry deleteEntries restoreEntries shiftEntries importScript'),
  ...these(WRITERS, 'autowebinar', 'makeFromWebinar makeFromVideo'),
  ...these([...WRITERS, 'PRESENTER'], 'autowebinar', 'promoteAnswer'),
  ...these(WRITERS, 'workshop', 'beginRehearsal checkRehearsal recordRehearsal composeRehearsal'),
  ...these(WRITERS, 'workshop', 'watchRehearsal finishRehearsal'),
  ...these(WRITERS, 'workshop', 'archiveMany restoreMany deleteMany undoDelete'),
  ...these(WRITERS, 'masterclass', 'save'),
  ...these([...WRITERS, 'PRESENTER', 'MODERATOR'], 'masterclass', 'get'),
  ...these(WRITERS, 'masterclass', 'getCurves'),
  ...these([...ROLES, null], 'registration', 'get register requestNextEvent'),
  ...these(WRITERS, 'registration', 'list count approve decline cancel add import resend'),
  ...these(
    WRITERS,
    'registration',
    'getReminderSchedule getPreview listEmails saveEmailSettings sendTest recall apologize',
  ),
  ...these(WRITERS, 'statistics', 'list get getSessions listViewers findMessages'),
  ...these(
    READERS,
    'homework',
    'listQueue countQueue listReviewers getReviewPage getPlayback open renewLock release saveReview review',
  ),
  ...these(READERS, 'homework', 'reopen assign previewAccept acceptSubmissions recallVerdicts offerZip'),
  ...these(['STUDENT'], 'homework', 'get saveDraft submit withdraw readVerdict startUpload extendUpload removeFile'),
  ...these(READERS, 'homework', 'startVoiceUpload'),
  ...these([...READERS, 'STUDENT'], 'homework', 'listMessages sendMessage readMessages'),
  ...these(READERS, 'homework', 'listSnippets saveSnippet deleteSnippet restoreSnippet'),
  ...these(['STUDENT'], 'course', 'listMine getMine openLesson completeLesson reopenLesson'),
  ...these(['STUDENT'], 'course', 'saveWatched saveNote listNotes'),
}

const procedures = Object.entries(router).flatMap(([room, actions]) =>
  Object.entries<unknown>(actions).flatMap(([action, procedure]) => {
    if (!isProcedure(procedure)) return []
    const { inputSchema, route } = procedure['~orpc']
    const shape = inputSchema instanceof z.ZodType ? shapeOf(inputSchema) : {}
    // A room of an event asks for its seat token, whoever is signed in: see meeting.test.ts.
    if (room === 'meeting' && 'seatToken' in Object(shape.properties)) return []
    return [{ name: `${room}/${action}`, method: route.method ?? 'POST', shape }]
  }),
)

let home: TestTenant
let ids: Record<string, string>
beforeAll(async () => {
  home = await createTestTenant()
  const owner = home.as.OWNER
  const { courseId } = await createCourse(owner, { title: 'Курс' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Урок' })
  const { studentId } = await inviteToCourse(owner, { courseId, email: 'guest@elsewhere.test' })
  const { workshopId } = await createWorkshop(owner, { type: 'webinar', title: 'Подія', timeZone: 'Europe/Kyiv' })
  const button = { label: 'Далі', url: 'https://kafedra.test' }
  const { itemId } = await addItem(owner, { workshopId, kind: 'button', content: button })
  const { rehearsalId } = await beginRehearsal(owner, { workshopId })
  const dates = { startAt: '2031-01-01T00:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  const { groupId } = await createGroup(owner, { courseId, name: 'Група', ...dates })
  const quizId = newId()
  await createQuiz(owner, { quizId, courseId, title: 'Тест' })
  ids = {
    groupId,
    quizId,
    rehearsalId,
    courseId,
    moduleId,
    lessonId,
    studentId,
    workshopId,
    itemId,
    memberId: home.as.MENTOR.membershipId,
  }
})

test('the table lists every call, and no other', () => {
  expect(procedures.map(({ name }) => name).sort()).toEqual(Object.keys(MAY).sort())
})

test.each(procedures)('$name admits the roles of the table', async (procedure) => {
  const entered: (Role | null)[] = []
  for (const role of [...ROLES, null]) {
    const { status, body } = await knock(procedure, role && home.as[role])
    expect(status, JSON.stringify(body)).toBeLessThan(500)
    if (status === 401) expect([role, body.code]).toEqual([null, 'unauthorized'])
    if (status !== 401 && status !== 403) entered.push(role)
  }
  expect(entered).toEqual([...ROLES, null].filter((role) => MAY[procedure.name]?.includes(role)))
})

test.each(procedures)('$name respects an expired plan: reads continue, writes of staff do not', async (procedure) => {
  const { name, method } = procedure
  for (const role of ['OWNER', 'STUDENT'] as const) {
    const { status } = await knock(procedure, { ...home.as[role], plans: [] })
    const stops = role === 'OWNER' && method === 'POST' && MAY[name]?.includes('OWNER') && !OWN_AFFAIRS.test(name)
    expect(status === 402, `${name} as ${role}: ${status}`).toBe(Boolean(stops))
  }
})

/** What a person does for themselves, and what stores nothing, whatever the school has paid. */
const OWN_AFFAIRS =
  /^(storage\/offerZip|homework\/(offerZip|readMessages)|outbox\/(hold|recall|discard)|user\/|team\/(register|renewInvitation|acceptInvitation|confirmTransfer|requestTransfer|cancelTransfer)|billing\/openSchool|course\/(requestJoin|joinByLink|registerByLink)|student\/(register|resendInvitation|confirmEmailCorrection|signInByLink|requestDataExport|requestDeletion|cancelDeletion|saveView|deleteView)|storage\/(renewPlayback|savePosition)|registration\/(register|requestNextEvent)|settings\/|student\/end(Device|AllDevices)|quiz\/renderTexts)/

function knock({ name, method, shape }: (typeof procedures)[number], actor: Actor | null) {
  const input = Object(sampleOf(shape, (field) => ids[field] ?? home.as.OWNER.sessionId))
  const body = { ...input, ...PARTS[name] }
  return method === 'GET'
    ? ask(method, `${name}?${new URLSearchParams(body)}`, { actor })
    : ask(method, name, { body, actor })
}

const SAMPLE = 'a'.repeat(64)

/** Parts of inputs that no small sample fits. */
const PARTS: Record<string, Record<string, unknown>> = {
  'settings/updateSchool': { timeZone: 'Europe/Kyiv', primaryColor: '' },
  'settings/addDomain': { domain: 'school.example.com' },
  'student/saveRegistrationForm': { consentText: '', consentUrl: '' },
  'student/addField': { kind: 'text' },
  'student/changeField': { options: ['так'] },
  'student/saveFieldValues': { values: {} },
  'student/updateProfile': { timeZone: 'Europe/Kyiv', phone: '' },
  'autowebinar/makeFromVideo': { timeZone: 'Europe/Kyiv' },
  'team/addVacation': { firstDay: '2031-01-01', lastDay: '2031-01-09' },
  'course/createGroup': { timeZone: 'Europe/Kyiv', endAt: null },
  'course/updateGroup': { timeZone: 'Europe/Kyiv', endAt: null },
  'attendance/mark': { isPresent: true },
  'course/attendLesson': { tab: 'tab-1' },
  'course/saveLesson': { title: 'Урок', change: undefined, tab: undefined },
  'homework/saveReview': { feedback: null },
  'homework/saveTask': {
    dueRule: null,
    acceptTypes: [],
    rubric: [],
    sampleAnswer: null,
    passPoints: null,
    instructions: EMPTY_DOC,
  },
  'homework/startUpload': { head: 'YQ==', sample: SAMPLE },
  'homework/startVoiceUpload': { head: 'YQ==', sample: SAMPLE },
  'quiz/createQuestion': { draft: { content: { type: 'trueFalse', stem: EMPTY_DOC, correct: true } } },
  'quiz/setOverride': { groupId: null },
  'certificate/saveTemplate': { background: '#ffffff', elements: [] },
  'workshop/addItem': { content: { label: 'Далі', url: 'https://kafedra.test' } },
  'workshop/saveItem': { content: { label: 'Далі', url: 'https://kafedra.test' } },
  'workshop/create': { timeZone: 'Europe/Kyiv', coverFileId: null, slidesFileId: null },
  'workshop/save': { timeZone: 'Europe/Kyiv', coverFileId: null, slidesFileId: null },
  'storage/startUpload': { head: 'YQ==', sample: SAMPLE },
  'storage/findDuplicate': { sample: SAMPLE },
}

function these(who: readonly (Role | null)[], room: string, actions: string): Record<string, readonly (Role | null)[]> {
  return Object.fromEntries(actions.split(' ').map((action) => [`${room}/${action}`, who]))
}
