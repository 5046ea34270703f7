/** Default titles for content without one in the source, in the language of the user who imports. */
export interface PackageLabels {
  /** A module with the resources that no outline contains. */
  notPlaced: string
  /** A lesson with files that no page shows. */
  files: string
}
