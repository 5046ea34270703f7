import { cleanName } from '#lib/core/shared/text/person-name.ts'

/** Frequent given names of Ukraine, also in Latin letters, without apostrophes. They tell given names from surnames. */
const NAMES = `
  аліна аліса алла анастасія ангеліна анжела анна антоніна богдана валентина валерія варвара василина віра вікторія
  віолетта влада владислава галина ганна дарина дарія дарʼя діана евеліна елеонора емілія єва євгенія єлизавета жанна
  зінаїда злата зоя зоряна інна ірина іванна калина карина каріна катерина кіра клавдія кристина крістіна ксенія лариса
  леся лідія лілія ліна любов людмила любомира маргарита марина марія маряна мілана мирослава надія наталія наталя
  неля ніна оксана олександра олена олеся ольга орися павлина поліна раїса руслана світлана соломія софія стефанія
  таїсія тамара тетяна уляна христина юлія юліана яна ярина ярослава
  адам анатолій андрій антон арсен арсеній артем артур богдан борис вадим валентин валерій василь віктор віталій
  владислав володимир всеволод вячеслав геннадій георгій герман гліб григорій данило даниїл денис дмитро едуард
  євген захар іван ігор ілля йосип кирило костянтин лев леонід лукян любомир макар максим марк маркіян мар’ян матвій
  микита микола мирон мирослав михайло назар назарій нестор олег олександр олексій орест остап павло петро платон
  радим роман ростислав руслан святослав сергій станіслав степан тарас тимофій тимур устим федір філіп юліан юрій
  юхим яків ян ярема ярослав
  анастасия екатерина елена ирина мария татьяна юлия наталья светлана ольга александр алексей андрей дмитрий евгений
  иван игорь михаил николай павел сергей владимир виталий виктор юрий
  anna olena olga olha iryna irina kateryna maria mariia natalia nataliia oksana svitlana tetiana yulia yuliia halyna
  anastasia anastasiia daria dariia viktoria viktoriia sofia sofiia polina alina diana inna liudmyla marta
  oleksandr olexandr andrii andriy dmytro ivan ihor igor mykola mykhailo oleh oleg oleksii pavlo petro roman ruslan
  serhii serhiy sergii taras vasyl viktor vitalii volodymyr yevhen yurii yuriy bohdan artem maksym maxim denys
  james john robert michael david william richard thomas mary patricia jennifer linda elizabeth susan sarah karen emma
  daniel paul mark george peter alice jane kate laura julia martin jan piotr anna pawel adam tomasz marek ewa`

const KNOWN = new Set(NAMES.split(/\s+/).filter(Boolean).map(foldName))

/** Whether a word is a frequent given name. */
export const isGivenName = (word: string): boolean => KNOWN.has(foldName(word))

function foldName(word: string): string {
  return cleanName(word)
    .toLowerCase()
    .replace(/['’ʼ‘´`′]/g, '')
}
