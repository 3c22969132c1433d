import t from 'tap'
import { languageOf, type LANGUAGES } from '../../../src/guard/text/language.js'

const TEXTS: Partial<Record<(typeof LANGUAGES)[number], string>> = {
  English:
    'Thanks for the call. I have put the notes of our meeting in the folder, and the plan is ready for you to read.',
  German: 'Vielen Dank für das Gespräch. Ich habe die Notizen in den Ordner gelegt, und der Plan ist nicht fertig.',
  French: "Merci pour votre appel. J'ai mis les notes dans le dossier, et le plan est prêt pour vous.",
  Spanish: 'Gracias por la llamada. He puesto las notas en la carpeta y el plan está listo para usted.',
  Italian:
    'Grazie per la chiamata. Ho messo gli appunti nella cartella e il piano non è pronto, sono in ritardo con la lettura di tutto.',
  Portuguese:
    'Obrigado pela chamada. As notas da reunião estão na pasta, e o plano não está pronto para você, mas vem em breve.',
  Dutch: 'Bedankt voor het gesprek. Ik heb de notities in de map gezet en het plan is klaar, maar niet voor morgen.',
  Polish:
    'Dziękuję za rozmowę. Notatki są w folderze, a plan nie jest gotowy, bo to zajmie trochę czasu i nie wiem jak długo.',
  Swedish:
    'Tack för samtalet. Jag har lagt anteckningarna i mappen och planen är inte klar, men det kommer i morgon för att du bad om det.',
  'Indonesian or Malay':
    'Terima kasih untuk panggilan ini. Kami sudah menaruh catatan di folder, dan rencana yang baru tidak lama lagi siap untuk anda.',
  Turkish:
    'Görüşme için teşekkürler. Notları klasöre koydum ve plan çok yakında hazır, bu bir hafta sürer; ne zaman ve nasıl size yazarım.',
  'Russian or another language in Cyrillic letters': 'Спасибо за звонок. Я положил заметки в папку, и план готов.',
  Japanese: 'お電話ありがとうございました。会議のメモをフォルダに入れました。計画は準備できています。',
  Chinese: '感谢您的来电。我已将会议记录放入文件夹,计划已准备好供您阅读,请在方便的时候查看。',
  'Arabic letters': 'شكرا على المكالمة. لقد وضعت الملاحظات في المجلد والخطة جاهزة للقراءة.',
}

t.test('the language of a text is known by its short words, or its script', (t) => {
  for (const [language, text] of Object.entries(TEXTS)) t.equal(languageOf(text), language)
  t.end()
})

t.test('a short or mixed text has none', (t) => {
  for (const text of ['', 'OK', 'https://x.example/abc/def/ghi/jkl', 'Rechnung 2026-014.pdf', '1234567890'.repeat(50)])
    t.equal(languageOf(text), undefined, text)
  t.end()
})

t.test('a quoted word or name in another script changes nothing', (t) => {
  t.equal(languageOf(`${TEXTS.English} 東京 Москва`), 'English')
  t.end()
})
