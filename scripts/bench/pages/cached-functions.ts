/** The functions that signed-in pages call, by module; in baseline P each returns its first result. */
export const CACHED_FUNCTIONS = {
  course: [
    'countLearning',
    'getCourse',
    'getMatrix',
    'getStudentRights',
    'listCompletions',
    'listCourseProgress',
    'listCourses',
    'listEnrolledCourses',
    'listMyCourses',
    'openLesson',
    'viewCourse',
  ],
  workshop: ['listUpcomingWorkshops', 'listMyWorkshops', 'listWorkshops'],
  homework: ['getHomework', 'listQueue', 'countReviewQueue', 'listReviewers', 'listQueueFilterOptions'],
  inbox: ['countInbox'],
  storage: ['openStorage'],
  user: ['getAccount'],
} as const
