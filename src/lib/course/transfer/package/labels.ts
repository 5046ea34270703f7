/** Names that a reader gives to what has none in the source, in the language of the person who imports. */
export interface PackageLabels {
  /** A module with the resources that no outline contains. */
  notPlaced: string
  /** A lesson with files that no page shows. */
  files: string
}
