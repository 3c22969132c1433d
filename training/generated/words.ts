/** Words of which wanted mail is made: people, companies, cities, things and courtesies of each language. All companies and their domains are invented. */

/** Lists are divided by `;`. `Name=latin` gives the spelling for addresses, `male/female` a family name of two forms. */
export interface Words {
  /** For dates and amounts. */
  locale: string
  currency: string
  women: string
  men: string
  families: string
  /** `Name @ domain`. */
  companies: string
  cities: string
  streets: string
  products: string
  jobs: string
  mailboxes: string
  phone: string
  iban: string
  /** Courtesies, written as templates are (mail.ts). */
  hi: string
  dear: string
  cheers: string
  bye: string
  legal: string
  unsubscribe: string
}

const UNSUBSCRIBE_AT = 'https://{host}/[unsubscribe|u|preferences|email/optout|abmeldung|nl/stop]/{token}'

export const WORDS: Record<string, Words> = {
  en: {
    locale: 'en-GB;en-US;en-US;en-IE',
    currency: 'GBP;USD;USD;EUR',
    women: 'Anna;Olivia;Priya;Grace;Hannah;Maya;Chloe;Ruth;Aisha;Megan;Laura;Siobhan;Zoe;Karen;Mei;Fatima;Beth;Joanna',
    men: 'Tom;James;Oliver;Ben;Raj;Daniel;Kwame;Peter;Liam;Marcus;Owen;Hiro;Stephen;Ali;Chris;Nathan;Diego;Will',
    families:
      "Carter;Hughes;Patel;O'Neill;Walker;Nguyen;Bennett;Okafor;Lindqvist;Morgan;Shaw;Reid;Fischer;Goldberg;Khan;Price;Thornton;Ellis;Marsh;Whitaker",
    companies:
      'Fernhill Supplies @ fernhillsupplies.com;Brightwater Books @ brightwaterbooks.co.uk;Oak & Ember @ oakandember.com;Tallow Street @ tallowstreet.co;Northgate Cycles @ northgatecycles.example;Pinefield Outdoor @ pinefieldoutdoor.com;Marlow Home @ marlowhome.co.uk;Quillstack @ quillstack.io;Larkspur Labs @ larkspurlabs.dev;Copperline @ copperline.app;Halden Analytics @ haldenanalytics.com;Bluefinch @ bluefinch.example;Sundrift Coffee @ sundriftcoffee.com;Harrow & Vale @ harrowvale.com;Meridian Parts @ meridianparts.example;Tidewell @ tidewell.org;Castlebrook Insurance @ castlebrookinsurance.com;Wrenhouse @ wrenhouse.studio',
    cities: 'Bristol;Leeds;Portland;Austin;Dublin;Toronto;Denver;Glasgow;Wellington;Boston;Cardiff;Melbourne',
    streets: 'Mill Lane;Station Road;Elm Street;Harbour View;Maple Avenue;Church Road;King Street;Orchard Close',
    products:
      'a pair of walking boots;the oak side table;a 27-inch monitor;the cast-iron pan;a rain jacket;two desk lamps;a box of filters;the standing desk;a ceramic teapot;the bike rack;a set of bed linen;a refurbished laptop',
    jobs: 'Account Manager;Office Manager;Head of Operations;Software Engineer;Procurement;Finance Team;Project Lead;Customer Care;Product Manager;Partner',
    mailboxes: 'gmail.com;outlook.com;icloud.com;fastmail.com;btinternet.com;proton.me;larkmail.example',
    phone: '+44 117 496 0;+1 512 555 01;+353 1 555 0;+44 20 7946 0',
    iban: 'GB',
    hi: '[Hi|Hello|Hey|Hi there|Morning] {you},;Hi {you};{you},;Hi {you} -;Hey,',
    dear: 'Dear {y:Mr/Ms} {youFamily},;Dear {you},;Dear {you} {youFamily},;Hello {you},;Good [morning|afternoon] {you},',
    cheers: 'Cheers,;Thanks,;Best,;Talk soon,;Thanks a lot,;x;;Take care,',
    bye: 'Kind regards,;Best regards,;Regards,;Many thanks,;Yours sincerely,;With best wishes,',
    legal:
      '{company} [Ltd|Inc.|LLC|Limited], {8-210} {street}, {city}[|. Registered no. {4100000-9800000}|. Please do not print this mail unless you need to].',
    unsubscribe: `[You are getting this because you signed up at {host}.|You asked us for these emails when you created your account.|You're on our list since {month}.] <<[Unsubscribe|Unsubscribe here|Stop these emails|Manage your preferences] -> ${UNSUBSCRIBE_AT}>>`,
  },
  de: {
    locale: 'de-DE;de-DE;de-AT',
    currency: 'EUR;EUR;EUR',
    women: 'Anna;Katharina;Sabine;Lena;Julia;Miriam;Petra;Ayşe=ayse;Johanna;Svenja;Claudia;Greta;Birgit;Nele',
    men: 'Thomas;Jonas;Stefan;Lukas;Markus;Felix;Jürgen=juergen;Emre;Tobias;Matthias;Paul;Uwe;Dominik;Henrik',
    families:
      'Müller=mueller;Schneider;Weber;Hoffmann;Krüger=krueger;Yılmaz=yilmaz;Lehmann;Brandt;Seidel;Vogel;Kessler;Baumann;Huber;Petersen;Reinhardt;Köhler=koehler',
    companies:
      'Nordlicht Möbel @ nordlicht-moebel.de;Buchladen am Fluss @ buchladen-am-fluss.de;Talwerk GmbH @ talwerk.de;Kornblume Naturkost @ kornblume-naturkost.example;Radhaus Lindental @ radhaus-lindental.de;Seeblick Reisen @ seeblickreisen.at;Wolkenbank Software @ wolkenbank.io;Feinwerk Elektronik @ feinwerk-elektronik.de;Hafenrösterei @ hafenroesterei.example;Lindwurm Verlag @ lindwurm-verlag.de;Stadtwerke Birkenau @ stadtwerke-birkenau.example;Ziegler & Partner @ ziegler-partner.de',
    cities: 'Hamburg;Leipzig;Freiburg;Graz;Köln;Bremen;Wien;Nürnberg;Kassel;Zürich',
    streets: 'Lindenstraße;Bahnhofstraße;Am Markt;Gartenweg;Schillerstraße;Mühlenweg;Hafenstraße',
    products:
      'den Schreibtisch Eiche;zwei Kaffeebecher;die Regenjacke in Größe M;das Fahrradschloss;den Staubsaugerbeutel-Vorrat;ein Paar Wanderschuhe;die Stehlampe;den gebrauchten Monitor;die Brotbackform;den Kinderwagen',
    jobs: 'Vertrieb Innendienst;Kundenservice;Geschäftsführung;Projektleitung;Einkauf;Buchhaltung;Personalabteilung;Softwareentwicklung',
    mailboxes: 'gmx.de;web.de;t-online.de;gmail.com;posteo.de;mailbox.example',
    phone: '+49 40 555 0;+49 30 2312 5;+43 1 555 0',
    iban: 'DE',
    hi: 'Hallo {you},;Hi {you},;Liebe{y:r/} {you},;Moin {you},;Servus {you},',
    dear: '{y:Sehr geehrter Herr/Sehr geehrte Frau} {youFamily},;Guten Tag {y:Herr/Frau} {youFamily},;Sehr geehrte Damen und Herren,;Guten Tag {you} {youFamily},;Hallo {y:Herr/Frau} {youFamily},',
    cheers: 'Liebe Grüße;LG;Bis dann;Viele Grüße;Gruß;Bis bald',
    bye: 'Mit freundlichen Grüßen;Freundliche Grüße;Viele Grüße;Beste Grüße;Mit besten Grüßen',
    legal:
      '{company}, {street} {2-140}, {city}[| · Amtsgericht {city} HRB {10000-99000}| · USt-IdNr. DE{100000000-399999999}]',
    unsubscribe: `[Sie erhalten diese E-Mail, weil Sie sich auf {host} angemeldet haben.|Diesen Newsletter haben Sie im {month} bestellt.|Keine Lust mehr auf Post von uns?] <<[Abmelden|Newsletter abbestellen|Hier abmelden|Einstellungen ändern] -> ${UNSUBSCRIBE_AT}>>`,
  },
  fr: {
    locale: 'fr-FR;fr-FR;fr-BE',
    currency: 'EUR;EUR;EUR',
    women:
      'Camille;Léa=lea;Sophie;Nadia;Claire;Hélène=helene;Manon;Aurélie=aurelie;Inès=ines;Juliette;Odile;Salomé=salome',
    men: 'Julien;Antoine;Karim;Luc;Mathieu;Étienne=etienne;Nicolas;Rémi=remi;Paul;Thibault;Olivier;Yann',
    families:
      'Martin;Lefèvre=lefevre;Moreau;Benali;Girard;Roussel;Chevalier;Dumas;Perrin;Bertrand;Haddad;Gautier;Marchand;Collet',
    companies:
      'La Petite Reliure @ lapetitereliure.fr;Atelier Garance @ ateliergarance.fr;Verger du Nord @ vergerdunord.example;Maison Colvert @ maisoncolvert.fr;Vélo Canal @ velocanal.fr;Nuage Bleu @ nuagebleu.io;Librairie des Halles @ librairie-des-halles.example;Comptoir Sarrasin @ comptoirsarrasin.fr;Mutuelle Clairval @ mutuelle-clairval.example;Transports Rivière @ transports-riviere.fr;Studio Brume @ studiobrume.be;Énergie Locale @ energielocale.fr',
    cities: 'Lyon;Nantes;Lille;Rennes;Bordeaux;Grenoble;Bruxelles;Montpellier;Strasbourg',
    streets: 'rue des Lilas;avenue de la Gare;rue Victor-Hugo;quai des Brumes;place du Marché;boulevard Voltaire',
    products:
      'la lampe de bureau;une cafetière italienne;deux coussins en lin;le vélo pliant;un carnet relié;la veste imperméable;un lot de filtres;la table basse;une poêle en fonte;le casque audio',
    jobs: 'Service client;Responsable achats;Chargée de projet;Comptabilité;Direction;Ressources humaines;Développeur;Assistante de direction',
    mailboxes: 'gmail.com;orange.fr;free.fr;laposte.net;outlook.fr;courriel.example',
    phone: '+33 1 99 00 1;+33 4 65 71 2;+32 2 555 0',
    iban: 'FR',
    hi: 'Bonjour {you},;Salut {you},;Coucou {you},;Hello {you},;{you},',
    dear: 'Bonjour {y:Monsieur/Madame} {youFamily},;{y:Monsieur/Madame},;Madame, Monsieur,;Bonjour,;Cher{y:/e} {y:Monsieur/Madame},',
    cheers: 'Bises;À bientôt;À plus;Merci !;Je t’embrasse;Amitiés',
    bye: 'Cordialement,;Bien cordialement,;Bien à vous,;Je vous prie d’agréer mes salutations distinguées.;Très bonne journée,',
    legal: '{company}, {1-180} {street}, {city}[| - SIRET {400-899} {100-999} {100-999} 000{11-99}| - RCS {city}]',
    unsubscribe: `[Vous recevez ce message car vous êtes inscrit sur {host}.|Vous avez choisi de recevoir nos nouvelles.|Cette lettre est envoyée à nos abonnés.] <<[Se désabonner|Me désinscrire|Gérer mes préférences|Se désinscrire] -> ${UNSUBSCRIBE_AT}>>`,
  },
  es: {
    locale: 'es-ES;es-ES;es-MX',
    currency: 'EUR;EUR;MXN',
    women: 'Lucía=lucia;Marta;Carmen;Elena;Paula;Ximena;Rocío=rocio;Sofía=sofia;Valeria;Nuria;Pilar;Daniela',
    men: 'Javier;Pablo;Andrés=andres;Miguel;Álvaro=alvaro;Diego;Sergio;Iván=ivan;Rubén=ruben;Gonzalo;Mateo;Jordi',
    families:
      'García=garcia;Fernández=fernandez;Ruiz;Navarro;Iglesias;Ortega;Herrera;Molina;Castaño=castano;Vidal;Campos;Rivas;Salgado;Prieto',
    companies:
      'Librería Almendro @ libreriaalmendro.es;Casa Trigal @ casatrigal.es;Olivar del Sur @ olivardelsur.example;Bicis Miraflor @ bicismiraflor.es;Nube Clara @ nubeclara.io;Ferretería Ponce @ ferreteriaponce.example;Viajes Albufera @ viajesalbufera.es;Taller Roble @ tallerroble.mx;Seguros Monteclaro @ segurosmonteclaro.example;Mensajería Zorzal @ mensajeriazorzal.es;Café Jacaranda @ cafejacaranda.mx;Estudio Faro @ estudiofaro.es',
    cities: 'Valencia;Sevilla;Bilbao;Zaragoza;Guadalajara;Puebla;Málaga;Granada;Vigo',
    streets: 'Calle Mayor;Avenida del Puerto;Calle de la Luna;Paseo de las Acacias;Calle Cervantes;Plaza Nueva',
    products:
      'la lámpara de pie;dos sillas plegables;unas botas de montaña;el molinillo de café;la mochila de 30 litros;un juego de sábanas;el monitor reacondicionado;la sartén de hierro;el casco de bici;una estantería',
    jobs: 'Atención al cliente;Responsable de compras;Administración;Dirección;Recursos Humanos;Jefa de proyecto;Desarrollo;Comercial',
    mailboxes: 'gmail.com;hotmail.com;yahoo.es;outlook.es;telefonica.net;correo.example',
    phone: '+34 910 55 0;+34 963 12 3;+52 33 5550 ',
    iban: 'ES',
    hi: 'Hola {you}:;Hola, {you}:;¡Hola {you}!;Buenas {you},;{you},',
    dear: '{y:Estimado Sr./Estimada Sra.} {youFamily}:;Buenos días, {you}:;{y:Estimado/Estimada} {you}:;Buenas tardes:;{y:Apreciado/Apreciada} {you}:',
    cheers: 'Un abrazo;Besos;Nos vemos;Gracias;Saludos;Hasta luego',
    bye: 'Un saludo,;Saludos cordiales,;Atentamente,;Reciba un cordial saludo,;Quedo a su disposición,',
    legal: '{company}, {street} {1-120}, {city}[| · CIF B{10000000-89999999}| · Todos los derechos reservados]',
    unsubscribe: `[Recibes este correo porque te suscribiste en {host}.|Te escribimos porque eres cliente de {company}.|Si prefieres no recibir más novedades:] <<[Darse de baja|Cancelar suscripción|Darme de baja|Gestionar preferencias] -> ${UNSUBSCRIBE_AT}>>`,
  },
  it: {
    locale: 'it-IT',
    currency: 'EUR',
    women: 'Giulia;Chiara;Francesca;Elisa;Martina;Silvia;Paola;Alessia;Beatrice;Ilaria',
    men: 'Marco;Luca;Matteo;Davide;Andrea;Stefano;Lorenzo;Pietro;Simone;Giorgio',
    families: "Rossi;Bianchi;Ferrari;Colombo;Ricci;Marino;Galli;D'Amico=damico;Fontana;Rinaldi;Moretti;Serra",
    companies:
      'Libreria del Portico @ libreriadelportico.it;Casa Ulivo @ casaulivo.it;Officina Lambda @ officinalambda.example;Torrefazione Ambra @ torrefazioneambra.it;Nuvola Chiara @ nuvolachiara.io;Cicli Brenta @ ciclibrenta.it;Viaggi Maestrale @ viaggimaestrale.example;Studio Cedro @ studiocedro.it;Ferramenta Gatti @ ferramentagatti.it;Assicura Colle @ assicuracolle.example',
    cities: 'Bologna;Torino;Padova;Genova;Bari;Verona;Firenze;Trieste',
    streets: 'via Garibaldi;via dei Mille;corso Italia;piazza Dante;via Verdi;viale della Stazione',
    products:
      'la moka da sei tazze;due lampade da tavolo;lo zaino da trekking;la tovaglia in lino;il monitor ricondizionato;un paio di scarponi;la sedia da ufficio;il set di coltelli',
    jobs: 'Ufficio acquisti;Servizio clienti;Amministrazione;Responsabile progetto;Direzione;Risorse umane;Sviluppo;Commerciale',
    mailboxes: 'gmail.com;libero.it;virgilio.it;outlook.it;posta.example',
    phone: '+39 051 555 0;+39 02 9475 1;+39 011 555 2',
    iban: 'IT',
    hi: 'Ciao {you},;Ciao {you}!;Buongiorno {you},;{you},',
    dear: 'Gentile {y:Sig./Sig.ra} {youFamily},;Buongiorno {you},;{y:Egregio Signor/Gentile Signora} {youFamily},;Buonasera,;Gentile cliente,',
    cheers: 'A presto;Un abbraccio;Ciao;Grazie!;Baci;Buona giornata',
    bye: 'Cordiali saluti,;Distinti saluti,;Un cordiale saluto,;Grazie e buon lavoro,;Saluti,',
    legal: '{company}[ S.r.l.| S.n.c.| S.p.A.], {street} {1-99}, {city}[| - P.IVA {10000000000-19999999999}]',
    unsubscribe: `[Ricevi questa mail perché ti sei iscritto su {host}.|Hai scelto di ricevere le nostre novità.] <<[Annulla iscrizione|Cancellati|Disiscriviti|Gestisci le preferenze] -> ${UNSUBSCRIBE_AT}>>`,
  },
  pt: {
    locale: 'pt-PT;pt-BR',
    currency: 'EUR;BRL',
    women: 'Ana;Beatriz;Mariana;Inês=ines;Catarina;Larissa;Joana;Fernanda;Sónia=sonia;Luísa=luisa',
    men: 'João=joao;Rui;Pedro;Tiago;Rafael;Bruno;Gustavo;Nuno;Felipe;Miguel',
    families: 'Silva;Ferreira;Costa;Almeida;Ribeiro;Carvalho;Teixeira;Azevedo;Nogueira;Barros;Pinto;Moraes',
    companies:
      'Livraria Alecrim @ livrariaalecrim.pt;Casa Sobreiro @ casasobreiro.pt;Café Ipê @ cafeipe.com.br;Nuvem Azul @ nuvemazul.io;Bicicletas Tejo @ bicicletastejo.example;Oficina Mandacaru @ oficinamandacaru.com.br;Viagens Maresia @ viagensmaresia.example;Seguros Horizonte @ seguroshorizonte.example;Loja do Bairro @ lojadobairro.pt;Estúdio Onda @ estudioonda.com.br',
    cities: 'Porto;Lisboa;Curitiba;Braga;Recife;Coimbra;Belo Horizonte;Aveiro',
    streets: 'Rua das Flores;Avenida da Liberdade;Rua do Sol;Travessa do Carmo;Rua Sete de Setembro',
    products:
      'a cafeteira;duas cadeiras;o capacete de bicicleta;a mochila;o candeeiro de mesa;um par de botas;o teclado sem fios;a panela de ferro',
    jobs: 'Apoio ao Cliente;Compras;Financeiro;Direção;Recursos Humanos;Gestão de Projeto;Comercial;Desenvolvimento',
    mailboxes: 'gmail.com;sapo.pt;hotmail.com;uol.com.br;outlook.pt;correio.example',
    phone: '+351 21 555 0;+55 41 5550 0;+351 22 999 1',
    iban: 'PT',
    hi: 'Olá {you},;Oi {you},;Olá {you}!;Bom dia {you},;{you},',
    dear: '{y:Exmo. Sr./Exma. Sra.} {youFamily},;{y:Caro/Cara} {you},;{y:Prezado/Prezada} {you},;Bom dia,;Boa tarde {you},',
    cheers: 'Um abraço;Beijinhos;Até logo;Obrigad{g:o/a}!;Abraço;Até já',
    bye: 'Com os melhores cumprimentos,;Cumprimentos,;Atenciosamente,;Obrigad{g:o/a} desde já,;Atentamente,',
    legal: '{company}, {street} {1-150}, {city}[| · NIF {500000000-519999999}]',
    unsubscribe: `[Recebe este e-mail porque se inscreveu em {host}.|Está a receber esta mensagem por ser nosso cliente.] <<[Cancelar subscrição|Descadastrar|Deixar de receber|Gerir preferências] -> ${UNSUBSCRIBE_AT}>>`,
  },
  nl: {
    locale: 'nl-NL;nl-BE',
    currency: 'EUR;EUR',
    women: 'Sanne;Lotte;Femke;Marijke;Iris;Noor;Esther;Anouk;Samira;Wilma',
    men: 'Daan;Bram;Jeroen;Pieter;Youssef;Sjoerd;Maarten;Koen;Ruben;Willem',
    families:
      'de Vries=devries;Jansen;van Dijk=vandijk;Bakker;Visser;Smit;Meijer;Bos;El Amrani=elamrani;Peeters;Willems;Hendriks',
    companies:
      'Boekhandel De Linde @ boekhandeldelinde.nl;Tuinhuis Polder @ tuinhuispolder.nl;Fietsmaat @ fietsmaat.example;Wolkenstad @ wolkenstad.io;Koffie Kade @ koffiekade.nl;Reisburo Noordzee @ reisburonoordzee.example;Houtwerf Atelier @ houtwerf.be;Pakketpunt Plus @ pakketpuntplus.example;Zorgverzekeraar Delta @ zorgdelta.example;Studio Kei @ studiokei.nl',
    cities: 'Utrecht;Gent;Groningen;Haarlem;Antwerpen;Eindhoven;Leiden;Zwolle',
    streets: 'Dorpsstraat;Kerkweg;Stationsplein;Oudegracht;Molenlaan;Lindelaan',
    products:
      'de bureaulamp;twee tuinstoelen;de regenjas;het fietsslot;een paar wandelschoenen;de koffiemolen;het dekbedovertrek;de gereviseerde laptop',
    jobs: 'Klantenservice;Inkoop;Administratie;Directie;Projectleider;Ontwikkelaar;HR;Verkoop binnendienst',
    mailboxes: 'gmail.com;ziggo.nl;kpnmail.nl;hotmail.nl;telenet.be;postvak.example',
    phone: '+31 30 555 0;+32 9 555 0;+31 20 799 1',
    iban: 'NL',
    hi: 'Hoi {you},;Hallo {you},;Hey {you},;Dag {you},;Ha {you},',
    dear: 'Beste {you},;Geachte {y:heer/mevrouw} {youFamily},;Goedemiddag {you},;Geachte klant,;Beste {y:meneer/mevrouw} {youFamily},',
    cheers: 'Groetjes;Groet;Tot snel;Liefs;Tot zo;Bedankt!',
    bye: 'Met vriendelijke groet,;Vriendelijke groeten,;Hartelijke groet,;Met groet,;Alvast bedankt,',
    legal: '{company}[ B.V.|], {street} {1-140}, {city}[| · KvK {20000000-89999999}]',
    unsubscribe: `[Je ontvangt deze mail omdat je je hebt ingeschreven op {host}.|Je bent abonnee van onze nieuwsbrief.] <<[Uitschrijven|Afmelden|Schrijf me uit|Voorkeuren aanpassen] -> ${UNSUBSCRIBE_AT}>>`,
  },
  pl: {
    locale: 'pl-PL',
    currency: 'PLN',
    women: 'Anna;Katarzyna;Magda;Agnieszka;Joanna;Ola;Zofia;Monika;Ewa;Karolina',
    men: 'Piotr;Tomasz;Michał=michal;Krzysztof;Paweł=pawel;Marcin;Jakub;Adam;Grzegorz;Rafał=rafal',
    families:
      'Kowalski/Kowalska;Nowak;Wiśniewski/Wiśniewska=wisniewski/wisniewska;Zieliński/Zielińska=zielinski/zielinska;Wójcik=wojcik;Mazur;Krawczyk;Lewandowski/Lewandowska;Dudek;Sikora;Pawlak',
    companies:
      'Księgarnia Pod Lipą @ podlipa.pl;Meble Świerk @ mebleswierk.pl;Rowery Wisłok @ rowerywislok.example;Chmurka @ chmurka.io;Palarnia Bursztyn @ palarniabursztyn.pl;Podróże Żuraw @ podrozezuraw.example;Ubezpieczenia Brzoza @ ubezpieczeniabrzoza.example;Paczka24h @ paczka24h.example;Studio Kreda @ studiokreda.pl;Hurtownia Dąb @ hurtowniadab.pl',
    cities: 'Kraków;Gdańsk;Wrocław;Poznań;Lublin;Łódź;Katowice;Toruń',
    streets: 'ul. Lipowa;ul. Długa;ul. Kościuszki;al. Niepodległości;ul. Polna;ul. Ogrodowa',
    products:
      'lampka biurkowa;krzesło składane;kurtka przeciwdeszczowa;młynek do kawy;plecak 30 l;pościel bawełniana;buty trekkingowe;patelnia żeliwna',
    jobs: 'Obsługa klienta;Dział zakupów;Księgowość;Zarząd;Kierownik projektu;Programista;Dział kadr;Sprzedaż',
    mailboxes: 'wp.pl;onet.pl;gmail.com;o2.pl;interia.pl;poczta.example',
    phone: '+48 12 555 0;+48 22 555 1;+48 601 555 ',
    iban: 'PL',
    hi: 'Cześć,;Hej,;Hejka,;Cześć!;Hej!',
    dear: 'Dzień dobry,;{y:Szanowny Panie/Szanowna Pani},;Szanowni Państwo,;{y:Dzień dobry Panie/Dzień dobry Pani},;Dzień dobry!',
    cheers: 'Pozdrawiam;Pozdro;Do zobaczenia;Dzięki!;Buziaki;Na razie',
    bye: 'Pozdrawiam,;Z poważaniem,;Z wyrazami szacunku,;Serdecznie pozdrawiam,;Dziękuję i pozdrawiam,',
    legal: '{company}[ sp. z o.o.|], {street} {1-120}, {city}[| · NIP {5000000000-8999999999}]',
    unsubscribe: `[Otrzymujesz tę wiadomość, bo zapisałeś się na {host}.|Newsletter wysyłamy tylko za zgodą odbiorcy.] <<[Wypisz się|Rezygnuję z newslettera|Anuluj subskrypcję|Ustawienia] -> ${UNSUBSCRIBE_AT}>>`,
  },
}
