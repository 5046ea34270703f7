export { createFolder, ensureFolders, moveFiles, renameFile } from './arrange.ts'
export { type Crumb, type FileList, type FileRow, listFiles, looksEverywhere, openStorage } from './browse.ts'
export {
  type CaptionView,
  getCaption,
  listCaptions,
  placeCaption,
  removeCaption,
  saveCaption,
} from './caption/caption.ts'
export { askCaptions, askTexts } from './caption/generation.ts'
export { suggestTexts } from './caption/suggest.ts'
export { normalizeCaptions } from './caption/task.ts'
export { transcribeFilm } from './caption/transcribe.ts'
export { type Copied, copyFiles } from './copy.ts'
export { type Desk, getDesk, saveChapters, saveTexts } from './desk.ts'
export { type FileDetails, getFile } from './details.ts'
export type { FileView } from './file-view.ts'
export { announce } from './live.ts'
export { canChange } from './permission.ts'
export { originalAddress, type Picture, type PictureFile, pictureFor, signFile, signPicture } from './signed.ts'
export { deleteFiles, dropFiles, emptyTrash, purgeFiles, restoreFiles, sweepTrash } from './trash.ts'
export { abortUpload } from './upload/abort.ts'
export { queueExamination } from './upload/examine.ts'
export { finishUpload } from './upload/finish.ts'
export { growUpload } from './upload/grow.ts'
export { type KeptFile, keepFile, type NewFile } from './upload/keep.ts'
export { countMade, countOriginal, getQuota, giveBack, type Quota, usedBytes } from './upload/quota.ts'
export {
  type Errand,
  findDuplicate,
  listParts,
  listUploads,
  signPart,
  startErrand,
  startUpload,
  type UnfinishedUpload,
} from './upload/upload.ts'
export { attachAll, attachFiles, detachFiles, type FileUser, listUses } from './use.ts'
export { findFile, type StoredImage, storeImage } from './video/image.ts'
export { getPlayback, openPlayback, renewPlayback, savePosition, type Watcher } from './video/playback.ts'
export { isOverfull, type OwnFilm, takeIn } from './video/recording-upload.ts'
export { choosePoster, getVideo, queueVideo, retryVideo, type VideoView } from './video/video.ts'
export { offerZip, openZip, type Zip, type ZipOffer } from './zip.ts'
