export { createFolder, ensureFolders, moveFiles, renameFile } from './arrange.ts'
export { type Crumb, type FileList, type FileRow, listFiles, looksEverywhere, openStorage } from './browse.ts'
export { type CaptionView, getCaption, listCaptions, placeCaption, removeCaption, saveCaption } from './caption.ts'
export { type Copied, copyFiles } from './copy.ts'
export { type Desk, getDesk, saveChapters, saveTexts } from './desk.ts'
export { type FileDetails, getFile } from './details.ts'
export { queueExamination } from './examine.ts'
export type { FileView } from './file-view.ts'
export { finishUpload } from './finish.ts'
export { askCaptions, askTexts } from './generation.ts'
export { findFile, type StoredImage, storeImage } from './image.ts'
export { type KeptFile, keepFile, type NewFile } from './keep.ts'
export { announce } from './live.ts'
export { canChange } from './permission.ts'
export { getPlayback, openPlayback, renewPlayback, savePosition, type Watcher } from './playback.ts'
export { countMade, countOriginal, getQuota, giveBack, type Quota, usedBytes } from './quota.ts'
export { originalAddress, type Picture, type PictureFile, pictureFor, signFile, signPicture } from './signed.ts'
export { suggestTexts } from './suggest.ts'
export { isOverfull, type OwnFilm, takeIn } from './take-in.ts'
export { transcribeFilm } from './transcribe.ts'
export { deleteFiles, dropFiles, emptyTrash, purgeFiles, restoreFiles, sweepTrash } from './trash.ts'
export {
  type Errand,
  findDuplicate,
  listParts,
  listUploads,
  signPart,
  startErrand,
  startUpload,
  type UnfinishedUpload,
} from './upload.ts'
export { abortUpload } from './upload-end.ts'
export { attachAll, attachFiles, detachFiles, type FileUser, listUses } from './use.ts'
export { choosePoster, getVideo, queueVideo, retryVideo, type VideoView } from './video.ts'
export { offerZip, openZip, type Zip, type ZipOffer } from './zip.ts'
