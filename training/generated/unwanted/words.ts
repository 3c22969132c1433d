/** Words of the unwanted templates: invented people, companies and names of hosts. Nobody here is anybody. */

interface People {
  first: readonly string[]
  last: readonly string[]
}

const list = (words: string): string[] => words.trim().split(/\s*,\s*/)

const PEOPLE: Record<string, People> = {
  en: {
    first: list(
      'James, Linda, Robert, Patricia, Michael, Susan, David, Karen, Kevin, Laura, Daniel, Grace, Peter, Alice, George, Hannah, Victor, Olivia, Samuel, Diana, Frank, Monica, Steve, Rachel, Ahmed, Fatima, Emeka, Priya, Wei, Carlos',
    ),
    last: list(
      'Harlow, Brent, Whitcombe, Okafor, Sandoval, Pemberton, Lindqvist, Marsh, Devine, Holloway, Kessler, Abara, Fenwick, Castell, Drummond, Osei, Patel, Trent, Moreau, Vance, Wexford, Langley, Bello, Hargrove, Quist, Stroud, Mensah, Rahman',
    ),
  },
  de: {
    first: list(
      'Sabine, Thomas, Jürgen, Petra, Stefan, Anja, Markus, Heike, Lukas, Julia, Andreas, Monika, Klaus, Birgit',
    ),
    last: list(
      'Brandner, Hollweg, Kirchhof, Seidler, Wiesner, Grabow, Lohmeier, Thalmann, Rehberg, Dornbach, Vogtmann, Eickhoff',
    ),
  },
  fr: {
    first: list(
      'Sophie, Julien, Nathalie, Pierre, Camille, Laurent, Élodie, Philippe, Sandrine, Antoine, Martine, Hugo',
    ),
    last: list(
      'Delaunoy, Marchetti, Besançon, Chauvier, Rivoire, Lemarchal, Dufresne, Galland, Tessier, Vauquelin, Morvan, Castagne',
    ),
  },
  es: {
    first: list('María, Javier, Carmen, Luis, Ana, Sergio, Lucía, Manuel, Elena, Raúl, Beatriz, Andrés'),
    last: list(
      'Cardeñosa, Robledal, Arancibia, Montalvo, Quijano, Echeverría, Salvatierra, Barrientos, Olmedo, Villarreal, Zúñiga',
    ),
  },
  it: {
    first: list('Giulia, Marco, Francesca, Luca, Chiara, Alessandro, Elisa, Davide, Paola, Stefano, Roberta, Andrea'),
    last: list(
      'Bertolani, Cavasini, Montresi, Galvagni, Ferrandino, Tassinari, Belloni, Zanichelli, Moretto, Piovani, Salvetti',
    ),
  },
  pt: {
    first: list('Ana, João, Mariana, Pedro, Carla, Rafael, Beatriz, Tiago, Luciana, Marcelo, Inês, Bruno'),
    last: list(
      'Valadares, Teixeira, Figueiras, Monteiro, Arruda, Bragança, Camargo, Peixoto, Queiroga, Sampaio, Vilela',
    ),
  },
  nl: {
    first: list('Sanne, Jeroen, Marieke, Bas, Femke, Willem, Anouk, Thijs, Ingrid, Ruben, Lotte, Maarten'),
    last: list('van Dalfsen, Hoekstra, de Ruyck, Wolters, Brinkhof, Terlouw, van Ginkel, Meulenbelt, Postema, Schaap'),
  },
  pl: {
    first: list('Anna, Piotr, Katarzyna, Tomasz, Agnieszka, Marek, Magdalena, Paweł, Joanna, Krzysztof, Ewa, Michał'),
    last: list('Borkowicz, Zalewicka, Grodzki, Malinowicz, Sikorzak, Wrzosek, Rudnik, Karpiel, Lisowicz, Dąbek'),
  },
  ru: {
    first: list('Анна, Сергей, Ольга, Дмитрий, Елена, Алексей, Наталья, Игорь, Марина, Павел'),
    last: list('Ветрова, Горин, Соболь, Лаптев, Рязанцев, Крылова, Зорин, Белкина'),
  },
  tr: {
    first: list('Ayşe, Mehmet, Elif, Murat, Zeynep, Emre, Fatma, Hakan'),
    last: list('Karadere, Yıldıran, Sönmezer, Aksoylu, Tunçay, Baykan'),
  },
  ja: { first: list('健一, 美咲, 直樹, 陽子, 大輔, 由美'), last: list('高瀬, 森下, 北村, 片桐, 西野, 小沢') },
  zh: { first: list('伟, 芳, 娜, 强, 敏, 丽华, 建国, 晓明'), last: list('王, 李, 陈, 周, 吴, 郑') },
  sv: {
    first: list('Anna, Erik, Karin, Lars, Emma, Johan, Sofia, Anders'),
    last: list('Lindmark, Hallgren, Sjöstrand, Ekvall, Norell, Dahlin'),
  },
  cs: {
    first: list('Jana, Petr, Lucie, Tomáš, Eva, Martin, Kateřina, Jiří'),
    last: list('Hruška, Vondrák, Krejčová, Malina, Šimek, Doležal'),
  },
  ar: {
    first: list('أحمد, سارة, محمد, ليلى, خالد, نورة, يوسف, مريم'),
    last: list('الحسيني, المنصور, العمري, الشامي, القاسم, النجار'),
  },
  hi: {
    first: list('राजेश, प्रिया, अमित, सुनीता, विकास, अंजलि, संजय, नेहा'),
    last: list('शर्मा, वर्मा, मेहरा, चौहान, त्रिवेदी, सक्सेना'),
  },
}

export function peopleOf(language: string): People {
  const people = PEOPLE[language] ?? PEOPLE['en']
  if (people === undefined) throw new Error('there are no people')
  return people
}

export const COMPANIES = list(
  'Velmora, Brightfen, Calderwick, Nordtal, Lumarix, Tessaly, Orvane, Quillmark, Zentrova, Pallister, Kestrion, Ambervale, Silvanto, Mirabeck, Fortanelle, Gravenhurst, Halcyra, Ivenmoor, Jastrum, Korvath, Lindenau, Marlowick, Novaquay, Oakhaven, Perrundel, Rivenstone, Solvantis, Trellick, Umbrience, Vantareon, Westmarch, Yarrowby, Zephyra',
)

/** Ends of company names, by language. */
export const COMPANY_ENDS: Record<string, readonly string[]> = {
  en: [
    'Ltd',
    'Inc.',
    'LLC',
    'Group',
    'Holdings',
    'Partners',
    'Solutions',
    'International',
    'Trading Co., Ltd',
    'Capital',
  ],
  de: ['GmbH', 'AG', 'GmbH & Co. KG', 'UG', 'Handels GmbH'],
  fr: ['SARL', 'SAS', 'SA', 'Groupe', 'Conseil'],
  es: ['S.L.', 'S.A.', 'Grupo', 'Soluciones'],
  it: ['S.r.l.', 'S.p.A.', 'Gruppo', 'Servizi'],
  pt: ['Lda', 'S.A.', 'Ltda', 'Grupo'],
  nl: ['B.V.', 'N.V.', 'Groep', 'Diensten'],
  pl: ['Sp. z o.o.', 'S.A.', 'Grupa'],
  ru: ['ООО', 'Групп'],
  tr: ['A.Ş.', 'Ltd. Şti.'],
  ja: ['株式会社', 'ホールディングス'],
  zh: ['有限公司', '科技有限公司'],
  sv: ['AB'],
  cs: ['s.r.o.', 'a.s.'],
}

export const BANKS = list(
  'Kestrel Bank, First Meridian, Harbourline Bank, Union Crest, Alpenkasse, Banque Valoire, Banco Almenar, Banca Serchio, Noorderbank, Bank Wiślany, Cooperative Trust, Pacific Fidelity, Credit Lumière, Caixa Montal',
)

export const CITIES = list(
  'London, Houston, Dubai, Accra, Lagos, Singapore, Toronto, Madrid, Geneva, Johannesburg, Kuala Lumpur, Manila, Lisbon, Chicago, Istanbul, Shenzhen, Kyiv, Abidjan, Rotterdam, Zurich',
)

/** Free mail domains of strangers. */
export const FREE_MAIL = list(
  'gmail.com, gmail.com, gmail.com, outlook.com, hotmail.com, yahoo.com, aol.com, mail.com, gmx.net, proton.me, yandex.com, mail.ru, qq.com, 163.com, zohomail.com, rocketmail.com',
)

export const RESERVED_ENDS = ['example', 'test', 'invalid', 'example.com', 'example.net', 'example.org']
/** Ends that are sold cheaply; only ever used behind an invented name with digits. */
export const CHEAP_ENDS = list(
  'top, xyz, info, online, shop, live, site, click, cc, icu, club, com, net, buzz, vip, store, ru, cn, com.br, co',
)

export const SYLLABLES = list(
  'vel, mor, zan, tri, kol, pex, rum, dax, lor, bin, quo, fen, gal, hux, jov, nim, sor, tav, wex, yol, bru, cal, dre, fli',
)

/** Words in the names of deceiving hosts. */
export const BAIT: Record<string, readonly string[]> = {
  en: list(
    'secure, login, verify, account, update, signin, support, service, billing, auth, id, help, confirm, portal, webmail, alert, online',
  ),
  de: list('sicherheit, konto, anmeldung, kundenservice, bestaetigung, login, verifizierung, meine, aktualisierung'),
  fr: list('securite, compte, connexion, espace-client, verification, service, mon-espace, confirmation'),
  es: list('seguridad, cuenta, acceso, clientes, verificar, soporte, actualizar, portal'),
  it: list('sicurezza, conto, accesso, clienti, verifica, assistenza, area-riservata, aggiorna'),
  pt: list('seguranca, conta, acesso, cliente, verificar, atendimento, atualizar, app'),
  nl: list('veiligheid, inloggen, mijn, klant, verificatie, bevestig, service, betaal'),
  pl: list('bezpieczenstwo, logowanie, konto, klient, weryfikacja, potwierdz, dostawa'),
}

/** What stands behind a link's host. */
export const PATHS = list(
  'login, signin, verify, secure/update, account/confirm, webmail/auth, index.php, wp-content/uploads/doc, wp-includes/js/app, docs/view, view, track, pay, portal, session/new, auth/validate, s/share, invoice, owa, id/check',
)
export const SHOP_PATHS = list(
  'offer, go, buy, start, click, lp1, promo, deal, win, join, apply, r, t, c, order, catalog, demo, special',
)

export const NOISE = list(
  'harbour, lantern, meadow, copper, violin, autumn, gravel, orchard, pencil, thunder, blanket, marble, saddle, window, whisper, candle, basket, river, engine, pocket, feather, garden, hollow, island, jacket, kettle, ladder, mirror, needle, oyster, parade, quarter, ribbon, shadow, tunnel, velvet, walnut, yellow, zipper, anchor, bishop, cradle, dragon, elbow, fabric, goblet, hammer, insect, jungle, kitten, lemon, magnet, nephew, onion, pepper, rocket, silver, temple, umbrella, valley',
)

/** Sentences of ordinary life, with which senders pad what they sell. */
export const PADDING = [
  'She closed the window and went down to see whether the bread was ready.',
  'The committee met again on Thursday and agreed to leave the fence as it was.',
  'He said that the train had been late but that nobody had minded much.',
  'We walked along the canal until the rain began and then turned back.',
  'The second chapter deals with the soil and the third with the seasons.',
  'Thanks for the notes, I will read them on the weekend and send you mine.',
  'My brother plays the cello, although he would never call it that.',
  'The meeting is moved to room four because the projector is being repaired.',
]
