/** Wanted mail in French. */
import { mails } from './mails.js'

export const french = mails(`
### order/fr/confirmed html
From: {company} <[commandes|boutique|bonjour]@{host}>
Subject: [Votre commande {order} est confirmée|Merci pour votre commande !|Commande {order} : c'est noté]

Bonjour {you},

[Merci pour votre commande ! Nous préparons {product} avec soin.|Votre commande a bien été enregistrée et sera expédiée sous {1-4} jours.]

| Commande | {order}
| Livraison | [offerte|{amount:3-8}]
| Total TTC | {amount:20-250}

? [Vous disposez de 14 jours pour changer d'avis.|Le paiement a été effectué avec la carte se terminant par {card}.]

=> [Suivre ma commande|Voir ma commande] -> https://{host}/compte/commandes/{token}

~ {legal}

### order/fr/parcel html
From: {company} <[livraison|colis|suivi]@{host}>
Org: Transports Rivière @ transports-riviere.fr;Colis Mésange @ colis-mesange.example;Relais du Coin @ relaisducoin.example
Subject: [=Votre colis arrive {weekday}|Colis {tracking} disponible en point relais|Votre colis a été livré|Livraison reportée au {dateSoon}]

Bonjour,

[=votre colis de la part de {otherCompany} est en route et sera livré {weekday} entre {8-12} h et {13-18} h.|votre colis vous attend au relais {street} jusqu'au {dateSoon}. Code de retrait : {pin}.|votre colis a été remis à votre voisin à {time}.|en raison d'une panne de camion, la livraison est reportée au {dateSoon}. Toutes nos excuses.]

=> [Suivre le colis|Modifier la livraison|Voir les horaires] -> https://{host}/suivi/{tracking}

? [Pensez à vous munir d'une pièce d'identité.|Aucun paiement ne vous sera demandé à la livraison.]

~ {legal}

### billing/fr/invoice html mixed
From: {company} <[facturation|compta]@{host}>
Subject: [=Facture {invoice}|Votre facture du mois de {month}|Échec du prélèvement de {month}|Rappel : facture {invoice}]
Attach: Facture-{invoice}.pdf

{dear}

[=Veuillez trouver ci-joint la facture {invoice} d'un montant de {amount:20-900}.|Votre facture de {month} est disponible. Elle sera prélevée le {dateSoon}.|Le prélèvement de {amount:15-90} a été rejeté par votre banque. Nous ferons une nouvelle tentative le {dateSoon}.|Sauf erreur de notre part, la facture ci-jointe, échue le {dayBefore}, reste impayée.]

[Si vous avez déjà réglé, merci de ne pas tenir compte de ce message.|Vous retrouverez toutes vos factures dans <<votre espace client -> https://{host}/espace-client>>.] [Pour toute question : {dial}.|]

{bye}
{company}, service comptabilité

### account/fr/security own html mixed
From: {company} <[securite|ne-pas-repondre|compte]@{host}>
Subject: [=Réinitialisation de votre mot de passe|Votre code de connexion : {code}|Nouvelle connexion à votre compte|Confirmez votre adresse e-mail]

Bonjour {you},

[=Vous avez demandé à changer votre mot de passe. Ce lien est valable {1-24} heures : <<choisir un nouveau mot de passe -> https://{host}/motdepasse/{token}>>|Voici votre code : {code}. Il expire dans {5-15} minutes. Ne le communiquez à personne.|Une connexion depuis un nouvel appareil ([Firefox sur Windows|iPhone|Android], {city}) a eu lieu le {date} à {time}.|Merci de votre inscription ! Il ne reste qu'à confirmer votre adresse : <<confirmer -> https://{host}/confirmer/{token}>>]

[Si vous n'êtes pas à l'origine de cette demande, ignorez simplement ce message.|Si c'était bien vous, vous n'avez rien à faire. Sinon, changez votre mot de passe dans les réglages.]

[L'équipe {company}|À bientôt sur {host}]

### bank/fr/notice own
From: {company} <[messagerie|service]@{host}>
Org: Mutuelle Clairval @ mutuelle-clairval.example;Caisse du Verger @ caisseduverger.example;Banque Aubépine @ banque-aubepine.example
Subject: [Votre relevé de {month} est disponible|Nouveau document dans votre espace|Remboursement de {amount:10-90}|Votre avis d'échéance]

{dear}

[Votre relevé de {month} est à votre disposition dans votre espace personnel.|Un remboursement de {amount:10-90} pour vos soins du {dayBefore} a été versé sur votre compte.|Votre contrat d'assurance habitation sera reconduit le {dateLater} pour une cotisation de {amount:90-500}.] [Connectez-vous comme d'habitude depuis l'application ou notre site.|Nous ne mettons jamais de lien de connexion dans nos courriels.]

[Nous ne vous demanderons jamais votre code secret.|Votre conseillère, {annFull}, reste à votre écoute au {dial}.]

{bye}
{company}

### appointment/fr/reminder
From: {company} <[rdv|accueil|cabinet]@{host}>
Org: Cabinet dentaire des Halles @ dentaire-halles.example;Docteur Perrin @ cabinet-perrin.example;Salon Mèche @ salonmeche.fr;Le Bistrot d'Odile @ bistrotodile.fr
Subject: [Rappel de rendez-vous : {dateSoon} à {time}|Votre rendez-vous de {weekday}|Votre réservation du {dateSoon}]

Bonjour {you},

[nous vous rappelons votre rendez-vous du {dateSoon} à {time}.|nous vous attendons {weekday} à {time}.|votre table pour {2-8} personnes est réservée le {dateSoon} à {time}.] [Merci d'apporter votre carte et votre dernière ordonnance.|Merci d'arriver dix minutes en avance.|]

[En cas d'empêchement, prévenez-nous au moins 24 heures avant : {dial}.|Pour annuler : https://{host}/annuler/{token}]

{company}
{street}, {city}

### support/fr/exchange client
From: {me} - {company} <[support|aide|client]@{host}>
Subject: [Re : |RE: ][commande {order}|export bloqué|demande de remboursement|votre réclamation]

Bonjour {y:Monsieur/Madame} {youFamily},

[merci pour votre patience.|je vous remercie pour les captures d'écran.|je comprends tout à fait votre agacement.] [Le problème vient d'une date mal saisie à la ligne {20-900} ; une fois corrigée, l'export fonctionne.|Nous vous remboursons {amount:15-120} ; comptez {3-8} jours ouvrés.|L'article de remplacement part ce soir, gardez l'autre.]

? [Pouvez-vous me confirmer que tout est rentré dans l'ordre ?|N'hésitez pas à me rappeler au {dial}.]

{bye}
{meFull}

### work/fr/meeting client
From: {meFull} <{meLocal}@{host}>
Subject: [=[Réunion de {weekday}|Point d’avancement]|On décale ?|Compte rendu du {date}|Passation avant mes congés]
To: 1-6

{hi}

[=serais-tu disponible {weekday} à {time} pour faire le point sur {otherCompany} ?|désolé, je dois décaler notre réunion : {dateSoon} à {time}, ça te va ?|voici le compte rendu d'hier, dites-moi si j'ai oublié quelque chose.|je serai en congés du {dateSoon} au {dateLater} ; voici où en sont les dossiers.]

? - [{ann} relance le fournisseur avant {weekday}|le budget passe à {amount:4000-30000}]
- [{bob} prépare la maquette|prochaine réunion le {dateSoon}]

{bye}
{me}

### work/fr/quote client
From: {meFull} <{meLocal}@{host}>
Subject: [=Devis {invoice}|Bon de commande {num:10000-99999}|Projet de contrat|Candidature au poste de {job}]
Attach: [=Devis-{invoice}.pdf|BC-{num:10000-99999}.pdf|Contrat_v{2-5}.docx|CV_{meFamily}.pdf]

{dear}

[=Suite à notre échange téléphonique, veuillez trouver ci-joint notre devis d'un montant de {amount:900-9000} HT, valable jusqu'au {dateLater}.|Vous trouverez ci-joint notre bon de commande ; merci de nous confirmer la date de livraison.|Voici la version {2-5} du contrat avec nos remarques à l'article {3-14}.|Actuellement en poste chez {otherCompany}, je souhaite rejoindre votre équipe et vous adresse ma candidature.]

[Je reste à votre disposition pour en parler.|Pourriez-vous nous faire un retour avant {weekday} ?|Dans l'attente de votre réponse, je vous souhaite une bonne journée.]

{bye}
{meFull}
{job}, {dial}

### agent/fr/request
From: Assistant de {meFull} <{meLocal}@{host}>
Org: Poste Neuf @ agents.posteneuf.example;Deskmate @ deskmate.app;Coursier Virtuel @ coursiervirtuel.example
Subject: [Demande de disponibilité : {product}|Demande de devis pour {meFull}|Droit d'accès (article 15 RGPD)|Résiliation de l'abonnement n° {10000-99999}]

Bonjour,

[je suis l'assistant (un agent logiciel) de {meFull} et vous écris à sa demande.|j'écris pour le compte de {meFull}.]

% [Pourriez-vous nous indiquer le prix total, livraison à {city} comprise, et le délai ?|Auriez-vous une place le {dateSoon} vers {time} ?]

% ? [Merci de résilier l'abonnement à la prochaine échéance et de nous le confirmer par écrit.|Merci de nous transmettre une copie des données personnelles conservées.]

Une réponse courte à cette adresse suffit ; {me} [la lira ce soir|décidera d'ici {weekday}].

Pour {meFull}

### private/fr/family casual client
Subject: [dimanche|anniversaire de maman|photos|la maison de vacances|ça va ?|l'argent du cadeau]
Attach: [|IMG_{num:1000-9999}.jpg]

{hi}

[merci encore pour le week-end, les enfants en parlent tous les jours.|ça fait longtemps ! tout va bien chez vous ?|on a réfléchi au cadeau de maman : {amount:20-50} chacun ?] [{bob} a trouvé du travail à {city}, il commence le {dateSoon}.|Papa sort de l'hôpital {weekday}, il doit prendre son cachet matin et soir.|J'ai gagné {amount:5-40} au loto, je vous offre un café.|Tu me dois encore {amount:10-60} pour les billets, mais rien ne presse.]

? [Vous venez manger dimanche ?|Appelle-moi ce soir après {time}.]

{cheers}
{me}

### private/fr/short casual
Subject: Re: [ce soir|{weekday}|clés|demain|train]

[ok|d'accord|parfait|super|ça marche|oui|bien reçu|pas de souci|top][, merci|!|] [à {time} alors|je suis en retard de {5-25} min|à {weekday}|je passe après le travail|préviens {ann}|les clés sont chez {bob}|bisous|on se tient au courant|je t'aime]

### news/fr/shop html bulk
From: {company} <[lettre|bonjour|nouvelles]@{host}>
Subject: [-{10-40} % jusqu'à dimanche|Les nouveautés de {month}|{you}, une petite surprise|Portes ouvertes le {dateLater}|Dernier jour des soldes !]

# [Les soldes sont là|Nouveautés|Merci d'être là]

[Jusqu'au {dateSoon}, profitez de {10-40} % sur toute la collection.|Une nouvelle saison, et plein d'idées pour la maison.|Nous ouvrons l'atelier le {dateLater} dès {time} : venez voir comment naissent nos objets.] [Avec le code MERCI{5-20}.|Livraison offerte dès {amount:30-60}.|]

=> [J'en profite|Découvrir|Voir la sélection] -> https://{host}/[soldes|nouveautes|collection]

~ {unsubscribe}
~ {legal}

### news/fr/association bulk
From: {company} <[contact|infos|secretariat]@{host}>
Org: Association Les Deux Rives @ lesdeuxrives.example;Club de voile d'Arvor @ voile-arvor.example;École Jean-Brun @ ecole-jeanbrun.example;Lettre du Verger @ lettreduverger.fr
Subject: [Lettre n° {20-300}|Assemblée générale le {dateLater}|Infos de la semaine|Merci pour vos dons]
To: 15-200

Chers adhérents[, chers parents|, chers amis|],

[l'assemblée générale aura lieu le {dateLater} à {time}.|grâce à vous, nous avons récolté {1000-9000} euros pour les repas d'hiver.|la sortie de {weekday} est maintenue, prévoyez des bottes.|cette semaine : un entretien avec {annFull}, deux recettes, et les dates à retenir.]

? [La cotisation ({amount:15-60}) peut être réglée sur place ou par virement : {iban}.|Nous cherchons {3-9} bénévoles pour tenir la buvette.]

{bye}
{meFull}

[Pour ne plus recevoir cette lettre, répondez STOP.|Se désabonner : https://{host}/stop/{token}]
`)
