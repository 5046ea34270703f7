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
import { requestApi } from './api-request.ts'

const WRITERS: readonly Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']
const READERS: readonly Role[] = [...WRITERS, 'CURATOR']
const MANAGERS: readonly Role[] = ['OWNER', 'DIRECTOR']
const TEAM: readonly Role[] = ROLES.filter((role) => role !== 'STUDENT')
const MENTORS: readonly Role[] = [...WRITERS, 'MENTOR']

const HOSTS: readonly Role[] = [...WRITERS, 'PRESENTER', 'MODERATOR']

/**
 * The roles that may call each procedure (product.md, section 2). No team member is assigned to the course or event.
 */
const MAY: Record<string, readonly (Role | null)[]> = {
  ...rolesAllowed([...ROLES, null], 'tenant', 'findSubdomain'),
  ...rolesAllowed([...ROLES, null], 'settings', 'findServedDomain'),
  ...rolesAllowed(
    MANAGERS,
    'settings',
    'getSettings updateSchool changeSubdomain removeLogo addDomain checkDomain removeDomain',
  ),
  ...rolesAllowed(MANAGERS, 'settings', 'requestReplyTo confirmReplyTo removeReplyTo'),
  ...rolesAllowed(
    MANAGERS,
    'student',
    'getCard listRisks listTimeline listSection updateProfile addTag removeTag remind',
  ),
  ...rolesAllowed(MANAGERS, 'student', 'listNotes addNote updateNote deleteNote restoreNote'),
  ...rolesAllowed(MANAGERS, 'student', 'listDevices endDevice endAllDevices'),
  ...rolesAllowed(MANAGERS, 'student', 'listFields addField changeField deleteField restoreField'),
  ...rolesAllowed(MANAGERS, 'student', 'getFieldValues saveFieldValues'),
  ...rolesAllowed(MANAGERS, 'student', 'requestEmailCorrection cancelEmailCorrection createLoginLink'),
  ...rolesAllowed(ROLES, 'student', 'getMyData requestDataExport sendDeletionCode requestDeletion cancelDeletion'),
  ...rolesAllowed([...ROLES, null], 'student', 'confirmEmailCorrection signInByLink'),
  ...rolesAllowed(
    [...ROLES, null],
    'user',
    'login logout register resendCode checkVerification forgotPassword resetPassword',
  ),
  ...rolesAllowed([...ROLES, null], 'billing', 'openSchool'),
  ...rolesAllowed(['OWNER'], 'payment', 'listProviders saveProvider setProviderEnabled checkProvider'),
  ...rolesAllowed(['OWNER'], 'payment', 'listFiscalServices saveFiscalService setFiscalServiceEnabled'),
  ...rolesAllowed(
    [...READERS, 'MENTOR'],
    'inbox',
    'listInbox getItem answer answerItems assignItems snoozeItems closeItems reopenItems',
  ),
  ...rolesAllowed([...READERS, 'MENTOR'], 'inbox', 'getSettings'),
  ...rolesAllowed(MANAGERS, 'inbox', 'updateSettings'),
  ...rolesAllowed(MANAGERS, 'automation', 'listAutomations getAutomation getPreview listRuns'),
  ...rolesAllowed(
    MANAGERS,
    'automation',
    'saveAutomation switchAutomation deleteAutomation rotateSecret resendWebhook',
  ),
  ...rolesAllowed(ROLES, 'notification', 'getSettings saveSettings mute unmute listMutes'),
  ...rolesAllowed(ROLES, 'notification', 'subscribePush unsubscribePush'),
  ...rolesAllowed([...ROLES, null], 'student', 'inviteAccept register resendInvitation'),
  ...rolesAllowed([...ROLES, null], 'course', 'requestJoin registerByLink'),
  ...rolesAllowed(ROLES, 'course', 'joinByLink'),
  ...rolesAllowed(MANAGERS, 'course', 'createInvitationLink listInvitationLinks revokeInvitationLink'),
  ...rolesAllowed(MANAGERS, 'student', 'getRegistrationForm saveRegistrationForm getStudentRegistration'),
  ...rolesAllowed(ROLES, 'user', 'getSessionInfo getPersonal updatePersonal changePassword switchMembership'),
  ...rolesAllowed(ROLES, 'notification', 'listNotifications countUnread openNotification markRead'),
  ...rolesAllowed(ROLES, 'notification', 'archiveNotifications undoNotificationChange'),
  ...rolesAllowed(ROLES, 'user', 'listSessions revokeSession revokeOtherSessions'),
  ...rolesAllowed(ROLES, 'user', 'beginSecondFactor enableSecondFactor renewRecoveryCodes disableSecondFactor'),
  ...rolesAllowed(MANAGERS, 'student', 'invite createBulkJob confirmBulkJob createMessage getBulkJob'),
  ...rolesAllowed(MANAGERS, 'student', 'list count listFilterOptions listViews saveView deleteView'),
  ...rolesAllowed(MANAGERS, 'outbox', 'list'),
  ...rolesAllowed(READERS, 'outbox', 'get edit hold send recall discard'),
  ...rolesAllowed(MANAGERS, 'student', 'listInvitations revokeInvitation resendStudentInvitation'),
  ...rolesAllowed([...ROLES, null], 'team', 'register renewInvitation'),
  ...rolesAllowed(ROLES, 'team', 'acceptInvitation confirmTransfer'),
  ...rolesAllowed(MANAGERS, 'team', 'invite resendInvitation cancelInvitation change block unblock remove'),
  ...rolesAllowed(MANAGERS, 'team', 'addVacation cancelVacation'),
  ...rolesAllowed(['OWNER'], 'team', 'requestTransfer cancelTransfer'),
  ...rolesAllowed(MANAGERS, 'course', 'invite'),
  ...rolesAllowed(
    READERS,
    'course',
    'list get getOutline getReadiness getLesson getLessonText listRevisions countLearning',
  ),
  ...rolesAllowed(READERS, 'course', 'listStaff listContentIssues'),
  ...rolesAllowed(WRITERS, 'course', 'setStaff archiveMany restoreMany startImport getTransfer listTransfers'),
  ...rolesAllowed(WRITERS, 'course', 'listStudents grantAccess revokeAccess'),
  ...rolesAllowed(
    WRITERS,
    'course',
    'getMatrix getAccessExplanation listGrants listGroups previewAccess changeAccess createGroup',
  ),
  ...rolesAllowed(READERS, 'course', 'undoAccess listAllGroups'),
  ...rolesAllowed(
    WRITERS,
    'course',
    'getGroup updateGroup finishGroup reopenGroup archiveGroup restoreGroup copyGroup',
  ),
  ...rolesAllowed(
    WRITERS,
    'course',
    'listMembers findCandidates previewMembers changeMembers addToGroup removeFromGroup',
  ),
  ...rolesAllowed(WRITERS, 'course', 'announceToGroup recallAnnouncement'),
  ...rolesAllowed(WRITERS, 'attendance', 'listMeetings listLinkableEvents addMeeting removeMeeting list mark'),
  ...rolesAllowed(
    WRITERS,
    'course',
    'create update publish unpublish archive restore saveLesson publishLesson discardLesson',
  ),
  ...rolesAllowed(WRITERS, 'course', 'nameRevision restoreRevision attendLesson'),
  ...rolesAllowed(READERS, 'course', 'getDates listTrash'),
  ...rolesAllowed(WRITERS, 'course', 'addModule changeModule moveModule placeModule deleteModule restoreModule'),
  ...rolesAllowed(
    WRITERS,
    'course',
    'addLessons changeLessons placeLessons publishLessons deleteLessons restoreLessons',
  ),
  ...rolesAllowed(WRITERS, 'course', 'undoChange duplicateLessons duplicateModule duplicate'),
  ...rolesAllowed(WRITERS, 'course', 'addLesson renameLesson moveLesson deleteLesson restoreLesson'),
  ...rolesAllowed(
    WRITERS,
    'storage',
    'startUpload findDuplicate getQuota getConverter startPresentation getPresentation',
  ),
  ...rolesAllowed(ROLES, 'storage', 'signPart listParts finishUpload abortUpload listUploads'),
  ...rolesAllowed(WRITERS, 'storage', 'list get createFolder ensureFolders rename move copy'),
  ...rolesAllowed(ROLES, 'storage', 'renewPlayback savePosition'),
  ...rolesAllowed(
    WRITERS,
    'storage',
    'getPlayback getVideo retryVideo choosePoster getVideoEditor saveTexts saveChapters',
  ),
  ...rolesAllowed(WRITERS, 'storage', 'listCaptions getCaption saveCaption removeCaption requestCaptions requestTexts'),
  ...rolesAllowed(WRITERS, 'storage', 'delete restore purge emptyTrash offerZip'),
  ...rolesAllowed(READERS, 'homework', 'listTasks findTask'),
  ...rolesAllowed(WRITERS, 'homework', 'addTask saveTask deleteTask restoreTask'),
  ...rolesAllowed(READERS, 'quiz', 'getQuestion listQuestions listQuestionTags listBanks renderTexts get list'),
  ...rolesAllowed(WRITERS, 'quiz', 'setOverride removeOverride'),
  ...rolesAllowed(READERS, 'quiz', 'grantTime saveReview finishReview acceptLateAnswer'),
  ...rolesAllowed(WRITERS, 'quiz', 'listAttempts getItemAnalysis getRegradePreview startRegrade getLastRegrade'),
  ...rolesAllowed(['STUDENT'], 'quiz', 'startAttempt getAttempt saveAnswer reachPage checkAnswer submitAttempt'),
  ...rolesAllowed(['STUDENT'], 'quiz', 'flagQuestion startFileAnswer removeFileAnswer saveLateAnswer'),
  ...rolesAllowed(MANAGERS, 'quiz', 'getPolicy setPolicy'),
  ...rolesAllowed(WRITERS, 'quiz', 'createQuestion updateQuestion duplicateQuestion changeQuestions'),
  ...rolesAllowed(WRITERS, 'quiz', 'createBank renameBank deleteBank'),
  ...rolesAllowed(WRITERS, 'quiz', 'create update duplicate setSections publish unpublish setHidden delete restore'),
  ...rolesAllowed(WRITERS, 'quiz', 'previewQuestions startQuestionImport getQuestionImport cancelQuestionImport'),
  ...rolesAllowed(WRITERS, 'certificate', 'getRule listQualified countByState listRequests'),
  ...rolesAllowed(READERS, 'certificate', 'listTemplates getTemplate'),
  ...rolesAllowed(WRITERS, 'certificate', 'saveRule createTemplate saveTemplate deleteTemplate'),
  ...rolesAllowed(WRITERS, 'certificate', 'issue issueToAll reissue revoke changeRequest setScan'),
  ...rolesAllowed(['STUDENT'], 'certificate', 'getMine listMine claim'),
  ...rolesAllowed(READERS, 'roadmap', 'list get'),
  ...rolesAllowed(WRITERS, 'roadmap', 'create save publish hide delete'),
  ...rolesAllowed(['STUDENT'], 'roadmap', 'getProgress'),
  ...rolesAllowed(WRITERS, 'offer', 'list get create save copy publish unpublish archive restore'),
  ...rolesAllowed(WRITERS, 'order', 'list listRefused get getReport'),
  ...rolesAllowed(MANAGERS, 'order', 'refund release addNote confirmTransfer cancelSubscription'),
  ...rolesAllowed(MANAGERS, 'order', 'resendEmail repeatReceipt'),
  ...rolesAllowed(WRITERS, 'order', 'listViews saveView deleteView'),
  ...rolesAllowed(ROLES, 'order', 'listMine'),
  ...rolesAllowed(WRITERS, 'coupon', 'list save disable enable'),
  ...rolesAllowed(HOSTS, 'workshop', 'list get listStaff listItems countPeople getReadiness'),
  ...rolesAllowed(['STUDENT'], 'workshop', 'listMine'),
  ...rolesAllowed(
    WRITERS,
    'workshop',
    'create save saveSettings setStaff addItem saveItem moveItem deleteItem restoreItem',
  ),
  ...rolesAllowed(WRITERS, 'workshop', 'publish unpublish cancel archive restore duplicate'),
  ...rolesAllowed(HOSTS, 'autowebinar', 'get listEntries getScriptFile listSessions listQuestions answerLater'),
  ...rolesAllowed(WRITERS, 'autowebinar', 'savePlan saveEntry deleteEntries restoreEntries shiftEntries importScript'),
  ...rolesAllowed(WRITERS, 'autowebinar', 'makeFromWebinar makeFromVideo'),
  ...rolesAllowed([...WRITERS, 'PRESENTER'], 'autowebinar', 'promoteAnswer'),
  ...rolesAllowed(WRITERS, 'workshop', 'beginRehearsal checkRehearsal recordRehearsal composeRehearsal'),
  ...rolesAllowed(WRITERS, 'workshop', 'watchRehearsal finishRehearsal'),
  ...rolesAllowed(WRITERS, 'workshop', 'archiveMany restoreMany deleteMany undoDelete'),
  ...rolesAllowed(WRITERS, 'masterclass', 'save'),
  ...rolesAllowed([...WRITERS, 'PRESENTER', 'MODERATOR'], 'masterclass', 'get'),
  ...rolesAllowed(WRITERS, 'masterclass', 'getCurves'),
  ...rolesAllowed([...ROLES, null], 'registration', 'get register requestNextEvent'),
  ...rolesAllowed(WRITERS, 'registration', 'list count approve decline cancel add import resend'),
  ...rolesAllowed(
    WRITERS,
    'registration',
    'getReminderSchedule getPreview listEmails saveEmailSettings sendTest recall apologize',
  ),
  ...rolesAllowed(
    ROLES.filter((role) => role !== 'MEMBER'),
    'chat',
    'listConversations getConversation listContacts listMessages sendMessage editMessage',
  ),
  ...rolesAllowed(
    ROLES.filter((role) => role !== 'MEMBER'),
    'chat',
    'deleteMessage markRead findMessages react pin listPinned forwardMessage listReaders startUpload',
  ),
  ...rolesAllowed(
    ROLES.filter((role) => role !== 'MEMBER'),
    'chat',
    'archiveConversation leaveConversation listThread reportMessage reportPresence reportTyping',
  ),
  ...rolesAllowed(
    ROLES.filter((role) => role !== 'MEMBER'),
    'chat',
    'listParticipants addParticipants listEdits',
  ),
  ...rolesAllowed(
    ROLES.filter((role) => role !== 'MEMBER'),
    'chat',
    'getPresenceSettings updatePresenceSettings scheduleMessage listScheduled editScheduled cancelScheduled releaseReply',
  ),
  ...rolesAllowed(
    ROLES.filter((role) => role !== 'MEMBER' && role !== 'STUDENT'),
    'chat',
    'listReports listBans',
  ),
  ...rolesAllowed(
    ROLES.filter((role) => role !== 'MEMBER'),
    'chat',
    'resolveReport banMember unbanMember',
  ),
  ...rolesAllowed(['OWNER'], 'chat', 'listExports requestExport'),
  // With the expert: not the expert itself, nor a student who is not assigned to it.
  ...rolesAllowed(['OWNER', 'DIRECTOR', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR'], 'chat', 'startConversation'),
  ...rolesAllowed(MANAGERS, 'chat', 'getSettings updateSettings'),
  ...rolesAllowed(MENTORS, 'mentoring', 'listPrograms getProgram listEnrolments getMentorOverview listStatistics'),
  ...rolesAllowed(WRITERS, 'mentoring', 'createProgram saveProgram changeProgramStatus enrolStudents'),
  ...rolesAllowed(MENTORS, 'mentoring', 'changeEnrolment revokeEnrolment restoreEnrolment'),
  ...rolesAllowed(MENTORS, 'mentoring', 'getAvailability saveAvailability answerBooking moveSession saveNotes'),
  ...rolesAllowed(MENTORS, 'mentoring', 'savePrivateNotes'),
  ...rolesAllowed(['STUDENT'], 'mentoring', 'getStudentOverview getBookingOptions holdSlot releaseHold bookSession'),
  ...rolesAllowed(['STUDENT'], 'mentoring', 'moveBooking joinWaitlist leaveWaitlist rateSession'),
  ...rolesAllowed([...MENTORS, 'STUDENT'], 'mentoring', 'getSession cancelBooking'),
  ...rolesAllowed(ROLES, 'schedule', 'get getItem listFilterOptions getMovePreview getReader saveSecondZone'),
  ...rolesAllowed(ROLES, 'schedule', 'getNote saveNote deleteNote restoreNote renewFeed revokeFeed'),
  ...rolesAllowed([...HOSTS, 'CURATOR', 'MENTOR'], 'schedule', 'moveItem'),
  ...rolesAllowed(TEAM, 'schedule', 'getBusyCalendar saveBusyCalendar removeBusyCalendar getWorkingHours'),
  ...rolesAllowed(MANAGERS, 'schedule', 'saveWorkingHours'),
  ...rolesAllowed(WRITERS, 'schedule', 'repeatWeekly getShiftPreview shiftGroup undoShift'),
  ...rolesAllowed(WRITERS, 'statistics', 'list get getSessions listViewers findMessages'),
  ...rolesAllowed(
    READERS,
    'homework',
    'listQueue countQueue listReviewers getReviewPage getPlayback open renewLock release saveReview review',
  ),
  ...rolesAllowed(READERS, 'homework', 'reopen assign previewAccept acceptSubmissions recallVerdicts offerZip'),
  ...rolesAllowed(
    ['STUDENT'],
    'homework',
    'get saveDraft submit withdraw readVerdict startUpload extendUpload removeFile',
  ),
  ...rolesAllowed(READERS, 'homework', 'startVoiceUpload'),
  ...rolesAllowed([...READERS, 'STUDENT'], 'homework', 'listMessages sendMessage readMessages'),
  ...rolesAllowed(READERS, 'homework', 'listSnippets saveSnippet deleteSnippet restoreSnippet'),
  ...rolesAllowed(['STUDENT'], 'course', 'listMine getMine openLesson completeLesson reopenLesson'),
  ...rolesAllowed(['STUDENT'], 'course', 'saveWatched saveNote listNotes'),
}

const procedures = Object.entries(router).flatMap(([module, actions]) =>
  Object.entries<unknown>(actions).flatMap(([action, procedure]) => {
    if (!isProcedure(procedure)) return []
    const { inputSchema, route } = procedure['~orpc']
    const shape = inputSchema instanceof z.ZodType ? shapeOf(inputSchema) : {}
    // Procedures of a room require its seat token instead of a role: see meeting.test.ts.
    if (module === 'meeting' && 'seatToken' in Object(shape.properties)) return []
    // Those of the operator require the token of the installation: see lib/billing/operator.test.ts.
    if (module === 'operator') return []
    return [{ name: `${module}/${action}`, method: route.method ?? 'POST', shape }]
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
  // The roles of the mentor are changed by other procedures.
  const item = `lesson.${newId()}`
  for (const name of ['answer', 'getItem']) PARTS[`inbox/${name}`] = { item, since: '1' }
  for (const name of ['answerItems', 'assignItems', 'snoozeItems', 'closeItems'])
    PARTS[`inbox/${name}`] = { items: [item] }
  PARTS['inbox/reopenItems'] = { closed: [{ kind: 'lesson', key: newId(), at: 0 }] }
  PARTS['chat/startConversation'] = { memberId: home.as.EXPERT.membershipId }
})

test('the table lists every call, and no other', () => {
  expect(procedures.map(({ name }) => name).sort()).toEqual(Object.keys(MAY).sort())
})

test.each(procedures)('$name admits the roles of the table', async (procedure) => {
  const entered: (Role | null)[] = []
  for (const role of [...ROLES, null]) {
    const { status, body } = await callProcedure(procedure, role && home.as[role])
    expect(status, JSON.stringify(body)).toBeLessThan(500)
    if (status === 401) expect([role, body.code]).toEqual([null, 'unauthorized'])
    if (status !== 401 && status !== 403) entered.push(role)
  }
  expect(entered).toEqual([...ROLES, null].filter((role) => MAY[procedure.name]?.includes(role)))
})

test.each(procedures)('$name respects an expired plan: reads continue, writes of staff do not', async (procedure) => {
  const { name, method } = procedure
  for (const role of ['OWNER', 'STUDENT'] as const) {
    const { status } = await callProcedure(procedure, { ...home.as[role], plans: [] })
    const stops = role === 'OWNER' && method === 'POST' && MAY[name]?.includes('OWNER') && !OWN_AFFAIRS.test(name)
    expect(status === 402, `${name} as ${role}: ${status}`).toBe(Boolean(stops))
  }
})

/** Procedures about the own account, settings of the school, and those that store nothing, are independent of the plan. */
const OWN_AFFAIRS =
  /^(storage\/offerZip|homework\/(offerZip|readMessages)|chat\/(markRead|updatePresenceSettings|archiveConversation|leaveConversation|reportTyping|reportPresence|cancelScheduled|reportMessage|requestExport)|schedule\/(saveNote|deleteNote|restoreNote|saveSecondZone|renewFeed|revokeFeed|saveBusyCalendar|removeBusyCalendar|saveWorkingHours)|outbox\/(hold|recall|discard)|user\/|notification\/|team\/(register|renewInvitation|acceptInvitation|confirmTransfer|requestTransfer|cancelTransfer)|billing\/openSchool|course\/(requestJoin|joinByLink|registerByLink)|order\/(saveView|deleteView)|student\/(register|resendInvitation|confirmEmailCorrection|signInByLink|requestDataExport|sendDeletionCode|requestDeletion|cancelDeletion|saveView|deleteView)|storage\/(renewPlayback|savePosition)|registration\/(register|requestNextEvent)|settings\/|payment\/|student\/end(Device|AllDevices)|quiz\/renderTexts)/

function callProcedure({ name, method, shape }: (typeof procedures)[number], actor: Actor | null) {
  const input = Object(sampleOf(shape, (field) => ids[field] ?? home.as.OWNER.sessionId))
  const body = { ...input, ...PARTS[name] }
  return method === 'GET'
    ? requestApi(method, `${name}?${new URLSearchParams(body)}`, { actor })
    : requestApi(method, name, { body, actor })
}

const SAMPLE = 'a'.repeat(64)

/** Fields for which the generated sample is invalid. */
const PARTS: Record<string, Record<string, unknown>> = {
  'settings/updateSchool': { timeZone: 'Europe/Kyiv', primaryColor: '' },
  'coupon/save': { code: 'ОСІНЬ', value: 10 },
  'settings/addDomain': { domain: 'school.example.com' },
  'student/saveRegistrationForm': { consentText: '', consentUrl: '' },
  'student/addField': { kind: 'text' },
  'student/changeField': { options: ['так'] },
  'student/saveFieldValues': { values: {} },
  'student/updateProfile': { timeZone: 'Europe/Kyiv', phone: '' },
  'autowebinar/makeFromVideo': { timeZone: 'Europe/Kyiv' },
  'team/addVacation': { firstDay: '2031-01-01', lastDay: '2031-01-09' },
  'mentoring/saveAvailability': {
    timeZone: 'Europe/Kyiv',
    weekly: [[], [], [], [], [], [], []],
    overrides: [],
    travels: [],
  },
  'automation/saveAutomation': {
    version: 0,
    settings: { title: 'Правило', trigger: 'courseJoined', action: 'tag', tag: 'новий', days: 7, delayHours: 0 },
  },
  'mentoring/joinWaitlist': { wantedFrom: null, wantedTo: null },
  'schedule/moveItem': { id: newId() },
  'schedule/saveWorkingHours': { from: '09:00', to: '18:00' },
  'schedule/saveBusyCalendar': { address: 'https://calendar.test/a.ics' },
  'schedule/saveSecondZone': { secondZone: 'Europe/Kyiv' },
  'schedule/shiftGroup': { from: '2031-01-01' },
  'schedule/getShiftPreview': { from: '2031-01-01', days: '1' },
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
  'chat/startUpload': { head: 'YQ==', sample: SAMPLE },
  'homework/startUpload': { head: 'YQ==', sample: SAMPLE },
  'homework/startVoiceUpload': { head: 'YQ==', sample: SAMPLE },
  'quiz/createQuestion': { draft: { content: { type: 'trueFalse', stem: EMPTY_DOC, correct: true } } },
  'quiz/setOverride': { groupId: null },
  'certificate/saveTemplate': { background: '#ffffff', elements: [] },
  'workshop/addItem': { content: { label: 'Далі', url: 'https://kafedra.test' } },
  'workshop/saveItem': { content: { label: 'Далі', url: 'https://kafedra.test' } },
  'workshop/create': { timeZone: 'Europe/Kyiv', coverFileId: null, slidesFileId: null },
  'workshop/save': { timeZone: 'Europe/Kyiv', coverFileId: null, slidesFileId: null },
  'storage/startPresentation': { head: 'YQ==', sample: SAMPLE },
  'storage/startUpload': { head: 'YQ==', sample: SAMPLE },
  'storage/findDuplicate': { sample: SAMPLE },
}

function rolesAllowed(
  roles: readonly (Role | null)[],
  module: string,
  actions: string,
): Record<string, readonly (Role | null)[]> {
  return Object.fromEntries(actions.split(' ').map((action) => [`${module}/${action}`, roles]))
}
